/** The workspaces of this browser: a list of names, kept apart from what is in them. */
import { create } from 'zustand'
import { FIRST_WORKSPACE, isWorkspaceName } from '../../../hosts/shared/paths'
import { useConnection } from '../../state/connection'
import { EMBEDDED } from '../../state/embed-parameters'
import { LAST_KNOWN } from '../../state/last-known'
import { load, onStored, removeByPrefix, store } from '../../state/stored'
import { addressOf, WORKSPACE } from '../../state/workspace'

interface WorkspacesState {
  /** Without the first one, which is always there. */
  names: string[]
  /** Goes there: the page is loaded again, with that workspace's cluster and files. */
  open(name: string): void
  /** Deletes all its objects and files. @throws Error if its database cannot be removed */
  remove(name: string): Promise<void>
}

const KEY = 'workspaces'

const saved = (): string[] => load<string[]>(KEY, []).filter(isWorkspaceName)

/** The one that is shown belongs to the list, however one came to it. */
function withShown(names: readonly string[]): string[] {
  return WORKSPACE === '' || names.includes(WORKSPACE) ? [...names] : [...names, WORKSPACE]
}

/** Read again for every change: another tab can have added one without an event yet. */
const known = (): string[] => withShown(saved())

export const useWorkspaces = create<WorkspacesState>((set) => {
  const keep = (names: string[]) => {
    set({ names })
    store(KEY, names)
  }
  const names = known()
  if (names.length > saved().length) store(KEY, names)
  return {
    names,
    open(name) {
      const names = known()
      if (name !== '' && !names.includes(name)) keep([...names, name])
      location.assign(addressOf(name))
    },
    async remove(name) {
      const { connection } = useConnection.getState()
      if (connection === undefined) throw new Error('the server has not started yet')
      // First off the list: other tabs that show it leave then, and begin nothing in it any more.
      keep(known().filter((other) => other !== name))
      if (name !== FIRST_WORKSPACE) await othersHaveLeft(name)
      await connection.channelTo(name).request('remove', undefined)
      removeByPrefix(name === FIRST_WORKSPACE ? LAST_KNOWN : `~${name}.`)
    },
  }
})

/** Every tab holds that of the workspace that it shows, together with others. */
const lockOf = (workspace: string): string => `kubetab~${workspace}`
/** A tab that hangs is not waited for longer. */
const LEAVING_MILLISECONDS = 5000

// An embedded page stores nothing.
if (!EMBEDDED)
  navigator.locks
    ?.request(lockOf(WORKSPACE), { mode: 'shared' }, () => new Promise(() => undefined))
    .catch(() => undefined)

async function othersHaveLeft(workspace: string): Promise<void> {
  const signal = AbortSignal.timeout(LEAVING_MILLISECONDS)
  await navigator.locks
    ?.request(lockOf(workspace), { signal }, () => undefined)
    .catch(() => undefined)
}

/** Address of a tab whose workspace was removed by another tab; followed by the name. */
export const REMOVED_MARK = '#removed='

onStored(KEY, () => {
  const isRemoved =
    WORKSPACE !== FIRST_WORKSPACE && !load<string[]>(KEY, [WORKSPACE]).includes(WORKSPACE)
  // Continuing here would recreate it, unseen.
  if (isRemoved) location.replace(addressOf(FIRST_WORKSPACE, REMOVED_MARK + WORKSPACE))
  else useWorkspaces.setState({ names: known() })
})

/** @returns `shared`, or `shared-2` if that is taken */
export function freeName(wanted: string): string {
  const names = known()
  if (!names.includes(wanted)) return wanted
  for (let number = 2; ; number++)
    if (!names.includes(`${wanted}-${number}`)) return `${wanted}-${number}`
}

/** Converts a typed name to a valid one: `My lesson!` becomes `my-lesson`. */
export function nameFrom(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
}
