/** A long path is shortened, and the part that identifies the request is kept longest. */
import { expect, it } from 'vitest'
import { partsOf } from '../../src/app/components/RequestPath'

it.each([
  [
    '/apis/apps/v1/namespaces/default/deployments/web/scale?dryRun=All',
    '/apis/apps/v1/namespaces/default',
    '/deployments/web/scale',
    '?dryRun=All',
  ],
  ['/api/v1/namespaces/default', '/api/v1', '/namespaces/default', ''],
  ['/api/v1/namespaces/default/pods', '/api/v1/namespaces/default', '/pods', ''],
  ['/api/v1/nodes?watch=1&a=?', '/api/v1', '/nodes', '?watch=1&a=?'],
  ['/apis/apps/v1', '', '/apis/apps/v1', ''],
  ['/version', '', '/version', ''],
  ['/openapi/v3/apis/apps/v1', '', '/openapi/v3/apis/apps/v1', ''],
])('takes %s apart', (path, ...parts) => expect(partsOf(path)).toEqual(parts))
