/** Servers written in this page, stored by the host; one is open, possibly with unsaved changes. */
import { create } from 'zustand'
import type { Handler } from '../../../hosts/shared/handlers'
import { useConnection } from '../../state/connection'
import { useSettings } from '../../state/settings'
import { load, removeByPrefix, store } from '../../state/stored'
import { notify, useView } from '../../state/view'
import { ownKey } from '../../state/workspace'
import { HANDLER_SAMPLES } from './samples'
import { CONFIRM, INVALID, leaveTitle, nameTaken, notDeleted, notSaved } from './texts'

export type Draft = Pick<Handler, 'name' | 'address' | 'source'>

interface HandlersState {
  /** Stored name of the open one; undefined if new or none. */
  open: string | undefined
  draft: Draft | undefined
  /** Incremented per opening: the editor then starts another history. */
  opening: number
  /** Confirms if there are unsaved changes. */
  show(handler: Handler): void
  begin(draft: Draft): void
  edit(change: Partial<Draft>): void
  /** @returns whether it is saved; errors are shown */
  save(): Promise<boolean>
  /** @returns whether it is removed; errors are shown */
  remove(): Promise<boolean>
}

/** Stores unsaved code across reloads. */
const KEY = ownKey('webhook-draft')
type Unsaved = Pick<HandlersState, 'open' | 'draft'>

const kept = (): readonly Handler[] => useSettings.getState().settings?.handlers ?? []

/** The error of a name or address. */
export function draftProblem(
  { name, address }: Draft,
  open: string | undefined,
  others: readonly Handler[],
): string | undefined {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return INVALID.name
  if (others.some((other) => other.name === name && name !== open)) return nameTaken(name)
  if (address.startsWith('https://')) return URL.canParse(address) ? undefined : INVALID.url
  if (/^[a-z0-9-]+\/[a-z0-9-]+$/.test(address)) return undefined
  return INVALID.address
}

function isUnsaved({ open, draft }: Unsaved): boolean {
  if (draft === undefined) return false
  const saved = kept().find(({ name }) => name === open)
  if (saved === undefined) return HANDLER_SAMPLES.every(({ source }) => source !== draft.source)
  return (
    saved.name !== draft.name || saved.address !== draft.address || saved.source !== draft.source
  )
}

export const useHandlers = create<HandlersState>((_, get) => ({
  open: undefined,
  draft: undefined,
  opening: 0,
  ...load<Partial<Unsaved>>(KEY, {}),
  show({ name, address, source }) {
    if (name !== get().open)
      leave(() => openAnother({ open: name, draft: { name, address, source } }))
  },
  begin: (draft) =>
    leave(() => {
      const taken = new Set(kept().map(({ name }) => name))
      let { name } = draft
      for (let n = 2; taken.has(name); n++) name = `${draft.name}-${n}`
      openAnother({
        open: undefined,
        draft: { name, address: draft.address, source: draft.source },
      })
    }),
  edit(part) {
    const { open, draft } = get()
    if (draft) change({ open, draft: { ...draft, ...part } })
  },
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
      await keep((others) => [
        ...others.filter(({ name }) => name !== open && name !== draft.name),
        { ...draft, code },
      ])
    } catch (error) {
      notify(notSaved(error instanceof Error ? error.message : String(error)), 'bad')
      return false
    }
    // Something else may be open or typed by now.
    const now = get()
    if (now.open === open && now.draft) change({ open: draft.name, draft: now.draft })
    return true
  },
  async remove() {
    const { open } = get()
    try {
      if (open !== undefined) await keep((others) => others.filter(({ name }) => name !== open))
    } catch (error) {
      notify(notDeleted(error instanceof Error ? error.message : String(error)), 'bad')
      return false
    }
    change({ open: undefined, draft: undefined })
    return true
  },
}))

function openAnother(next: Unsaved): void {
  useHandlers.setState(({ opening }) => ({ opening: opening + 1 }))
  change(next)
}

function change(next: Unsaved): void {
  useHandlers.setState(next)
  if (isUnsaved(next)) store(KEY, next)
  else removeByPrefix(KEY)
}

/** Confirms if something would be lost. */
function leave(goOn: () => void): void {
  const { draft, save } = useHandlers.getState()
  if (draft === undefined || !isUnsaved(useHandlers.getState())) {
    goOn()
    return
  }
  useView.getState().set({
    question: {
      title: leaveTitle(draft.name),
      text: CONFIRM.leaveAbout,
      choices: [
        { title: CONFIRM.leave, danger: true, run: goOn },
        { title: CONFIRM.save, run: () => void save().then((saved) => saved && goOn()) },
      ],
    },
  })
}

/** Keeps newer code of another tab. The engine looks handlers up per call, so it continues. */
async function keep(changed: (handlers: readonly Handler[]) => Handler[]): Promise<void> {
  const { connection } = useConnection.getState()
  if (!connection) throw new Error(INVALID.noServer)
  const { handlers } = await connection.channel.request('settings', undefined)
  const sorted = changed(handlers).sort((a, b) => (a.name < b.name ? -1 : 1))
  useSettings.setState({
    settings: await connection.channel.request('configure', { handlers: sorted }),
  })
}
