/** Files that a console command waits for (`kubectl edit`), until the user saves or closes them. */

import { create } from 'zustand'
import { entryOf } from '../../../engine/core/object'
import { useView } from '../../state/view'
import { activeTab, useEditors } from './editors'

interface Awaited {
  text: string
  done(text: string): void
}

export const useEdits = create<{ awaited: Readonly<Record<string, Awaited>> }>(() => ({
  awaited: {},
}))

/**
 * @param signal stops waiting; the file remains open
 * @returns the saved text, or the given one if the file was closed
 * @throws Error when the signal aborts
 */
export function editText(title: string, text: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const id = useEditors.getState().open({ title, language: 'yaml', text })
    const { place, pane, activity } = useView.getState()
    const end = () => {
      const { [id]: _ended, ...awaited } = useEdits.getState().awaited
      useEdits.setState({ awaited })
      ignore()
      signal.removeEventListener('abort', give)
    }
    const done = (result: string) => {
      end()
      useView
        .getState()
        .set({ place, activity, pane: pane === 'activity' ? 'activity' : useView.getState().pane })
      resolve(result)
    }
    const give = () => {
      end()
      reject(new Error('interrupted'))
    }
    const ignore = useEditors.subscribe(({ tabs }) => {
      if (!tabs.some((tab) => tab.id === id)) done(text)
    })
    useEdits.setState(({ awaited }) => ({ awaited: { ...awaited, [id]: { text, done } } }))
    signal.addEventListener('abort', give, { once: true })
    useView.getState().set({ pane: 'editor', welcome: false })
  })
}

/** @returns false if no command waits for the active file */
export function saveEdit(): boolean {
  const { id, text } = activeTab(useEditors.getState())
  const awaited = entryOf(useEdits.getState().awaited, id)
  if (awaited === undefined) return false
  awaited.done(text)
  useEditors.getState().close(id)
  return true
}

export function isUnchangedEdit({ id, text }: { id: string; text: string }): boolean {
  return entryOf(useEdits.getState().awaited, id)?.text === text
}
