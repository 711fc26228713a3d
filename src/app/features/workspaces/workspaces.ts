/** The list of this browser's workspaces. */
import { create } from 'zustand'
import { FIRST_WORKSPACE, isWorkspaceName } from '../../../hosts/shared/paths'
import { useConnection } from '../../state/connection'
import { LAST_KNOWN } from '../../state/last-known'
import { load, onStored, removeByPrefix, store } from '../../state/stored'
import { addressOf, WORKSPACE } from '../../state/workspace'

interface WorkspacesState {
  /** Without the first one. */
  names: string[]
  /** Reloads the page with that workspace. */
  open(name: string): void
  /** Opens another workspace, which then removes the shown one. */
  discard(next: string): void
  /** @throws Error if its database cannot be removed */
  remove(name: string): Promise<void>
}

const KEY = 'workspaces'
const DISCARDED = 'discarded-workspace'

const saved = (): string[] => load<string[]>(KEY, []).filter(isWorkspaceName)

function withShown(names: readonly string[]): string[] {
  return WORKSPACE === '' || names.includes(WORKSPACE) ? [...names] : [...names, WORKSPACE]
}

/** Another tab can have added one without an event yet. */
const known = (): string[] => withShown(saved())

export const useWorkspaces = create<WorkspacesState>((set) => {
  const keep = (names: string[]) => {
    set({ names })
    store(KEY, names)
  }
  return {
    names: known(),
    open(name) {
      const names = known()
      if (name !== '' && !names.includes(name)) keep([...names, name])
      location.assign(addressOf(name))
    },
    discard(next) {
      store(DISCARDED, WORKSPACE)
      location.assign(addressOf(next))
    },
    async remove(name) {
      const { connection } = useConnection.getState()
      if (connection === undefined) throw new Error('the server has not started yet')
      // First, so that other tabs leave it before it is removed.
      keep(known().filter((other) => other !== name))
      if (name !== FIRST_WORKSPACE) await othersHaveLeft(name)
      await connection.channelTo(name).request('remove', undefined)
      removeByPrefix(name === FIRST_WORKSPACE ? LAST_KNOWN : `~${name}.`)
    },
  }
})

/** A shared lock of every tab of the workspace. */
const lockOf = (workspace: string): string => `kubetab~${workspace}`
/** Timeout of unresponsive tabs. */
const LEAVING_MILLISECONDS = 5000

async function othersHaveLeft(workspace: string): Promise<void> {
  const signal = AbortSignal.timeout(LEAVING_MILLISECONDS)
  await navigator.locks
    ?.request(lockOf(workspace), { signal }, () => undefined)
    .catch(() => undefined)
}

/** Followed by the name of the workspace that another tab removed. */
export const REMOVED_MARK = '#removed='

/** Removes the workspace that was shown before, when the server can. */
async function removeDiscarded(): Promise<void> {
  const name = load(DISCARDED, '')
  if (name === '' || name === WORKSPACE) return
  store(DISCARDED, '')
  await useConnection.getState().ready
  await useWorkspaces.getState().remove(name)
}

/** Lists the shown workspace, and leaves it when another tab removes it. */
export function followWorkspaces(): void {
  const names = known()
  if (names.length > saved().length) store(KEY, names)
  navigator.locks
    ?.request(lockOf(WORKSPACE), { mode: 'shared' }, () => new Promise(() => undefined))
    .catch(() => undefined)
  removeDiscarded().catch(() => undefined)
  onStored(KEY, () => {
    const isRemoved =
      WORKSPACE !== FIRST_WORKSPACE && !load<string[]>(KEY, [WORKSPACE]).includes(WORKSPACE)
    // Continuing would recreate it.
    if (isRemoved) location.replace(addressOf(FIRST_WORKSPACE, REMOVED_MARK + WORKSPACE))
    else useWorkspaces.setState({ names: known() })
  })
}

/** @returns `shared`, or `shared-2` if taken */
export function freeName(wanted: string): string {
  const names = known()
  if (!names.includes(wanted)) return wanted
  for (let number = 2; ; number++)
    if (!names.includes(`${wanted}-${number}`)) return `${wanted}-${number}`
}

/** `My lesson!` becomes `my-lesson`. */
export function nameFrom(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
}
