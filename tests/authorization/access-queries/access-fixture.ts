/** Helpers that query permissions: authorizers built from options, and roles of the test. */
import { accessQueries } from '../../../src/engine/authorization/access-queries/access'
import type {
  Access,
  AccessResource,
  QueryAttributes,
} from '../../../src/engine/authorization/access-queries/types'
import type { AuthorizationOptions } from '../../../src/engine/authorization/configuration/options'
import { RoleIndex } from '../../../src/engine/authorization/rbac/role-index'
import { type Built, built, type Surroundings } from '../building'
import { attributesOf, type RoleBook, roleBook } from '../roles'

export const PODS: AccessResource = {
  group: '',
  version: 'v1',
  resource: 'pods',
  namespaced: true,
  verbs: ['get', 'list', 'create'],
}
export const NODES: AccessResource = {
  group: '',
  version: 'v1',
  resource: 'nodes',
  namespaced: false,
  verbs: ['get', 'list'],
}

export interface AccessFixture {
  access: Access
  book: RoleBook
  built: Built
}

export function accessFixture(
  options: AuthorizationOptions = { modes: ['RBAC'] },
  surroundings: Omit<Surroundings, 'storage'> = {},
): AccessFixture {
  const book = roleBook()
  const { storage } = book
  const authorization = built(options, { ...surroundings, storage })
  const access = accessQueries({
    storage,
    roles: new RoleIndex(storage),
    row: authorization.row,
    resources: () => [PODS, NODES],
  })
  return { access, book, built: authorization }
}

/** `wants('get', 'pods/log', 'a')` */
export function wants(
  verb: string,
  resource: string,
  namespace = '',
  more: Partial<QueryAttributes> = {},
): QueryAttributes {
  const { user: _, ...requested } = attributesOf('nobody', verb, resource, namespace, more)
  return requested
}
