/** Servers written in this page: kept by the host, which calls them; one of them is open, perhaps with changes that are not saved yet. */
import { create } from 'zustand'
import type { Handler } from '../../hosts/shared/handlers'
import { useConnection } from './connection'
import { useSettings } from './settings'
import { notify } from './view'

export type Draft = Pick<Handler, 'name' | 'address' | 'source'>

interface HandlersState {
  /** Name under which the open one is kept; undefined: it is new, or nothing is open. */
  open: string | undefined
  draft: Draft | undefined
  show(handler: Handler): void
  begin(draft: Draft): void
  edit(change: Partial<Draft>): void
  /** @returns whether it is kept now; why not has been told */
  save(): Promise<boolean>
  remove(): Promise<void>
}

const kept = (): readonly Handler[] => useSettings.getState().settings?.handlers ?? []

/** What is wrong with a name or an address; undefined: nothing. */
export function draftProblem({ name, address }: Draft, open: string | undefined, others: readonly Handler[]): string | undefined {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return 'The name consists of lower-case letters, digits and "-".'
  if (others.some((other) => other.name === name && name !== open)) return `There is another one named ${name}.`
  if (address.startsWith('https://')) return URL.canParse(address) ? undefined : 'The address is no URL.'
  if (/^[a-z0-9-]+\/[a-z0-9-]+$/.test(address)) return undefined
  return 'The address is a URL that begins with https://, or namespace/name of a service.'
}

export const useHandlers = create<HandlersState>((set, get) => ({
  open: undefined,
  draft: undefined,
  show: ({ name, address, source }) => set({ open: name, draft: { name, address, source } }),
  begin(draft) {
    const taken = new Set(kept().map(({ name }) => name))
    let { name } = draft
    for (let n = 2; taken.has(name); n++) name = `${draft.name}-${n}`
    set({ open: undefined, draft: { ...draft, name } })
  },
  edit: (change) => set(({ draft }) => (draft ? { draft: { ...draft, ...change } } : {})),
  async save() {
    const { draft, open } = get()
    if (draft === undefined) return false
    const problem = draftProblem(draft, open, kept())
    if (problem !== undefined) {
      notify(problem, 'bad')
      return false
    }
    try {
      const { transpile } = await import('../scripts/transpile')
      const { code } = await transpile(draft.source)
      const handler = { ...draft, code }
      await keep([...kept().filter(({ name }) => name !== open && name !== draft.name), handler])
    } catch (error) {
      notify(`It is not saved: ${error instanceof Error ? error.message : String(error)}`, 'bad')
      return false
    }
    set({ open: draft.name })
    return true
  },
  async remove() {
    const { open } = get()
    set({ open: undefined, draft: undefined })
    if (open !== undefined) await keep(kept().filter(({ name }) => name !== open))
  },
}))

/** The engine goes on meanwhile: it looks handlers up with each call. */
async function keep(handlers: Handler[]): Promise<void> {
  const { connection } = useConnection.getState()
  if (!connection) throw new Error('there is no server to keep it')
  const sorted = handlers.sort((a, b) => (a.name < b.name ? -1 : 1))
  useSettings.setState({ settings: await connection.channel.request('configure', { handlers: sorted }) })
}
