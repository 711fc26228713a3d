/** The host stores and calls webhooks and servers; one is open in the editor. */
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
  /** undefined: it is new, or none is open. */
  open: string | undefined
  draft: Draft | undefined
  /** Changes with each opened handler, to start a new undo history. */
  opening: number
  /** Confirms, as `begin` does, if there are unsaved changes. */
  show(handler: Handler): void
  begin(draft: Draft): void
  edit(change: Partial<Draft>): void
  /** Errors are shown. */
  save(): Promise<boolean>
  /** Errors are shown. */
  remove(): Promise<boolean>
}

/** Stores unsaved code across reloads. */
const KEY = ownKey('webhook-draft')
type Unsaved = Pick<HandlersState, 'open' | 'draft'>

const kept = (): readonly Handler[] => useSettings.getState().settings?.handlers ?? []

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
    // The user may have opened another handler or typed meanwhile.
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

/** Confirms only if unsaved changes would be lost. */
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

/**
 * Keeps newer code of another tab. The engine continues, because it looks handlers up for each
 * call.
 */
async function keep(changed: (handlers: readonly Handler[]) => Handler[]): Promise<void> {
  const { connection } = useConnection.getState()
  if (!connection) throw new Error(INVALID.noServer)
  const { handlers } = await connection.channel.request('settings', undefined)
  const sorted = changed(handlers).sort((a, b) => (a.name < b.name ? -1 : 1))
  useSettings.setState({
    settings: await connection.channel.request('configure', { handlers: sorted }),
  })
}
