/** The workspace that this tab shows: `?workspace=NAME` in its address. Each has a cluster and files of its own. */
import { FIRST_WORKSPACE, isWorkspaceName, workspacePath } from '../../hosts/shared/paths'
import { BASE } from './base'
import { EMBEDDED, LESSON_PARAMETER } from './embed-parameters'

const PARAMETER = EMBEDDED ? '' : (new URLSearchParams(location.search).get('workspace') ?? '')

/** The workspace parameter if it is not a valid name; otherwise empty. */
export const IMPOSSIBLE_WORKSPACE = PARAMETER === '' || isWorkspaceName(PARAMETER) ? '' : PARAMETER

function named(): string {
  if (EMBEDDED) return LESSON_PARAMETER === '' ? FIRST_WORKSPACE : `lesson-${LESSON_PARAMETER}`
  return IMPOSSIBLE_WORKSPACE === '' ? PARAMETER : FIRST_WORKSPACE
}

export const WORKSPACE = named()

/** Where this workspace's API begins, ending with `/`. */
export const API_BASE = BASE + workspacePath(WORKSPACE)

/** What people call a workspace. */
export function titleOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? 'My cluster' : workspace
}

/** Storage key for this workspace only. */
export function ownKey(name: string): string {
  return WORKSPACE === FIRST_WORKSPACE ? name : `~${WORKSPACE}.${name}`
}

/** The page's address with another workspace in it. @param hash with `#`, or empty */
export function addressOf(workspace: string, hash = ''): string {
  return `${BASE}${workspace === FIRST_WORKSPACE ? '' : `?workspace=${workspace}`}${hash}`
}
