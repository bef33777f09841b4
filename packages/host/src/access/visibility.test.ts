import { isVisibleTo as isVisibleInApps } from '@tenon/mcp-apps/client';
import { expect, it } from 'vitest';
import { isVisibleTo } from './visibility.js';

it.each([
  [undefined, true, true],
  [{}, true, true],
  [{ ui: {} }, true, true],
  [{ ui: { visibility: ['app'] } }, false, true],
  [{ ui: { visibility: ['model'] } }, true, false],
  [{ ui: { visibility: [] } }, false, false],
  [{ ui: { visibility: 'model' } }, false, false],
  [{ ui: 'app' }, false, false],
])('takes the visibility of _meta %j as @tenon/mcp-apps does', (_meta, toModel, toApp) => {
  const tool = _meta === undefined ? {} : { _meta };
  for (const isVisible of [isVisibleTo, isVisibleInApps])
    expect([isVisible('model', tool), isVisible('app', tool)]).toEqual([toModel, toApp]);
});
