import type { HostContext } from '../model/host-context.js';

const fontsId = 'mcp-host-fonts';

/** Applies the theme, CSS variables and fonts of the host to the document. */
export function applyTheme({ theme, styles }: HostContext): void {
  const { documentElement: root, head } = document;
  if (theme !== undefined) {
    root.dataset.theme = theme;
    root.style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) root.style.setProperty(name, value);
  const fonts = styles?.css?.fonts;
  if (typeof fonts !== 'string') return;
  const element = document.getElementById(fontsId) ?? head.appendChild(document.createElement('style'));
  element.id = fontsId;
  element.textContent = fonts;
}
