/**
 * Maps URLs to workspaces, under any base path of the page. Each workspace has its own engine and
 * database.
 * The first workspace has no name and is served at `/api`. A workspace named `lesson` is served at
 * `/~lesson/api`.
 */

const OWNED =
  /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics|kubetab\/v1)(?:\/|$)|^\/\.well-known\/openid-configuration$/
const NAME = '[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?'
const IN_WORKSPACE = new RegExp(`^/~(${NAME})(/.*)$`)
const WHOLE_NAME = new RegExp(`^${NAME}$`)

export const FIRST_WORKSPACE = ''

/** A DNS label of at most 40 characters, since URLs and database names contain it. */
export function isWorkspaceName(name: string): boolean {
  return WHOLE_NAME.test(name)
}

/** The path between the page's base path and the API's: `~lesson/`, or empty. */
export function workspacePath(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? '' : `~${workspace}/`
}

export function databaseOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? DATABASE : `${DATABASE}~${workspace}`
}

const DATABASE = 'kubetab'

/** @returns undefined for a database of another application at the same origin */
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
