/** A page opened through a shared link asks before it replaces anything. */
import { useEffect } from 'react'
import { useConnection } from '../state/connection'
import { useEditors } from '../state/editors'
import { notify, useView } from '../state/view'
import { importObjects } from './cluster-file'
import { decodeScenario, type Scenario } from './link'

export function useArrivedLink(): void {
  const connected = useConnection((state) => state.connection !== undefined)
  useEffect(() => {
    if (!connected) return
    const arrive = () => openScenario(location.hash)
    arrive()
    addEventListener('hashchange', arrive)
    return () => removeEventListener('hashchange', arrive)
  }, [connected])
}

/** @param hash the address's hash, or what a scenario file holds */
export function openScenario(hash: string): void {
  let scenario: Scenario | undefined
  try {
    scenario = decodeScenario(hash)
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'bad')
    return
  }
  if (scenario === undefined) return
  const { objects, tabs } = scenario
  const opened = scenario
  useView.getState().set({
    question: {
      title: 'Open the shared scenario?',
      text: `It holds ${objects.length} object${objects.length === 1 ? '' : 's'} and ${tabs.length} file${tabs.length === 1 ? '' : 's'}, and replaces what is in the cluster now. Its files open beside yours.`,
      confirm: 'Open it',
      danger: true,
      onConfirm: () => void accept(opened),
    },
  })
}

async function accept({ objects, tabs }: Scenario): Promise<void> {
  try {
    await importObjects(objects)
    const editors = useEditors.getState()
    for (const tab of tabs) if (!editors.tabs.some(({ text }) => text === tab.text)) editors.open(tab)
    history.replaceState(null, '', location.pathname + location.search)
    notify('The shared scenario is open')
  } catch (error) {
    notify(`The scenario could not be opened: ${error instanceof Error ? error.message : String(error)}`, 'bad')
  }
}
