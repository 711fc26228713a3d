/**
 * Which requests are the API server's, under any base path that the page is served from, and of which workspace: each has an engine
 * and a database of its own. The first workspace has no name and answers at `/api`; one called `lesson` answers at `/~lesson/api`.
 */

const OWNED =
  /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics)(?:\/|$)|^\/\.well-known\/openid-configuration$/
const NAME = '[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?'
const IN_WORKSPACE = new RegExp(`^/~(${NAME})(/.*)$`)
const WHOLE_NAME = new RegExp(`^${NAME}$`)

/** The workspace that is there from the start. */
export const FIRST_WORKSPACE = ''

/** Names are labels of DNS, of at most 40 characters: they stand in addresses and in names of databases. */
export function isWorkspaceName(name: string): boolean {
  return WHOLE_NAME.test(name)
}

/** Between the page's base path and the API's own: `~lesson/`, or nothing. */
export function workspacePath(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? '' : `~${workspace}/`
}

/** Name of a workspace's database; the first one's is the bare name. */
export function databaseOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? DATABASE : `${DATABASE}~${workspace}`
}

const DATABASE = 'kubetab'

/** @returns undefined if the database is no workspace's: others may live at the same origin */
export function workspaceOf(database: string): string | undefined {
  if (database === DATABASE) return FIRST_WORKSPACE
  const name = database.startsWith(`${DATABASE}~`) ? database.slice(DATABASE.length + 1) : ''
  return isWorkspaceName(name) ? name : undefined
}

export interface EngineTarget {
  workspace: string
  /** Path and query for the engine. */
  target: string
}

/**
 * @param base path of the page, ending with `/`
 * @returns undefined if the request is for a file of the page
 */
export function engineTarget(url: URL, base: string): EngineTarget | undefined {
  const whole = targetIn(url.pathname, url.search)
  if (whole || base === '/' || !url.pathname.startsWith(base)) return whole
  return targetIn(url.pathname.slice(base.length - 1), url.search)
}

function targetIn(path: string, search: string): EngineTarget | undefined {
  const [, workspace = FIRST_WORKSPACE, inside = path] = IN_WORKSPACE.exec(path) ?? []
  return OWNED.test(inside) ? { workspace, target: inside + search } : undefined
}
