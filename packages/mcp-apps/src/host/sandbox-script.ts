/** Messages of a view that the sandbox passes on in one second. A host counts again, and refuses earlier. */
const mostMessages = 1_000;

/**
 * The script of the sandbox page, as text: it must not depend on how the program around it is bundled. `hosts` are the origins that may
 * embed the page.
 *
 * The policy is added to the page itself before the view is loaded: the frame of the view inherits it, and its part `frame-src` also stops
 * the view from going to another page. The view has no origin of its own (no `allow-same-origin`), so that it cannot reach this page.
 *
 * No policy governs WebRTC: without `connectDomains` its constructors are removed before the code of the view runs. Frames inside the
 * view have them again; only the header `connection-allowlist` of the page stops those.
 */
export const sandboxScript: string = `
(function (hosts) {
  'use strict';
  if (parent === self) return;
  var prefix = 'ui/notifications/sandbox-';
  var origin = /^(?:https?|wss?):\\/\\/(?:\\*\\.[a-z0-9-]+\\.)?[a-z0-9-]+(?:\\.[a-z0-9-]+)*(?::(?:\\d{1,5}|\\*))?\\/?$/i;
  var features = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' };
  var allowed = ['allow-scripts', 'allow-forms', 'allow-modals', 'allow-downloads', 'allow-pointer-lock'];
  var withoutPeers = "delete self.RTCPeerConnection;delete self.webkitRTCPeerConnection;document.currentScript.remove()";
  var host, view, isLoaded = false, count = 0;
  function origins(list) {
    if (!Array.isArray(list)) return '';
    return list.slice(0, 64).filter(function (one) {
      return typeof one === 'string' && one.length < 256 && origin.test(one);
    }).map(function (one) { return ' ' + one.replace(/\\/$/, ''); }).join('');
  }
  function policy(csp) {
    csp = csp && typeof csp === 'object' ? csp : {};
    var resources = origins(csp.resourceDomains);
    return [
      "default-src 'none'",
      "script-src 'self' 'unsafe-inline'" + resources,
      "style-src 'self' 'unsafe-inline'" + resources,
      "img-src 'self' data:" + resources,
      "font-src 'self'" + resources,
      "media-src 'self' data:" + resources,
      'connect-src' + (origins(csp.connectDomains) || " 'none'"),
      'frame-src' + (origins(csp.frameDomains) || " 'none'"),
      "object-src 'none'",
      'base-uri' + (origins(csp.baseUriDomains) || " 'self'"),
      "form-action 'none'"
    ].join('; ');
  }
  function load(params) {
    if (!params || typeof params.html !== 'string') return;
    var text = policy(params.csp);
    var meta = document.createElement('meta');
    meta.httpEquiv = 'Content-Security-Policy';
    meta.content = text;
    document.head.appendChild(meta);
    var granted = params.permissions && typeof params.permissions === 'object' ? params.permissions : {};
    var tokens = typeof params.sandbox === 'string' ? params.sandbox.split(/\\s+/) : ['allow-scripts', 'allow-forms'];
    var frame = document.createElement('iframe');
    frame.setAttribute('sandbox', tokens.filter(function (one) { return allowed.indexOf(one) >= 0; }).join(' '));
    frame.setAttribute('allow', Object.keys(features).filter(function (name) {
      return Object.prototype.hasOwnProperty.call(granted, name);
    }).map(function (name) { return features[name]; }).join('; '));
    var isOffline = text.indexOf("connect-src 'none'") >= 0;
    frame.srcdoc = '<!doctype html><meta http-equiv="Content-Security-Policy" content="' + text + '">' +
      '<meta http-equiv="x-dns-prefetch-control" content="off">' +
      (isOffline ? '<script>' + withoutPeers + '<\\/script>' : '') + params.html;
    frame.onload = function () {
      // The view has gone to another page, which the server of the app did not send.
      if (isLoaded) { view = undefined; frame.remove(); }
      isLoaded = true;
    };
    document.body.appendChild(frame);
    view = frame;
  }
  function isReserved(data) {
    return typeof data.method === 'string' && data.method.lastIndexOf(prefix, 0) === 0;
  }
  addEventListener('message', function (event) {
    var data = event.data;
    if (typeof data !== 'object' || data === null) return;
    if (event.source === parent && hosts.indexOf(event.origin) >= 0) {
      host = event.origin;
      if (isReserved(data)) {
        if (data.method === prefix + 'resource-ready' && !view && !isLoaded) load(data.params);
      } else if (view) view.contentWindow.postMessage(data, '*');
    } else if (view && host && event.source === view.contentWindow) {
      if (++count <= ${mostMessages} && !isReserved(data)) parent.postMessage(data, host);
    }
  });
  setInterval(function () { count = 0; }, 1000);
  parent.postMessage({ jsonrpc: '2.0', method: prefix + 'proxy-ready', params: {} }, '*');
})`;
