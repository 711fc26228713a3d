/**
 * Maps URLs to workspaces, each with its own engine and database. The first has no name and is
 * served at `/api`; `lesson` is at `/~lesson/api`.
 */

const OWNED =
  /^\/(?:apis?|openapi|openid|healthz|livez|readyz|version|metrics|kubetab\/v1)(?:\/|$)|^\/\.well-known\/openid-configuration$/
const NAME = '[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?'
const IN_WORKSPACE = new RegExp(`^/~(${NAME})(/.*)$`)
const WHOLE_NAME = new RegExp(`^${NAME}$`)

export const FIRST_WORKSPACE = ''

/** A DNS label of at most 40 characters: URLs and database names contain it. */
export function isWorkspaceName(name: string): boolean {
  return WHOLE_NAME.test(name)
}

/** `~lesson/`, or empty. */
export function workspacePath(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? '' : `~${workspace}/`
}

export function databaseOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? DATABASE : `${DATABASE}~${workspace}`
}

const DATABASE = 'kubetab'

/** @returns undefined for another application's database */
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
 * @returns undefined for a file of the page
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
