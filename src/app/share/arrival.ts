/** A shared link or file asks before it replaces anything; its scripts open, and wait to be run by a person. */
import { useEditors } from '../state/editors'
import { notify, useView } from '../state/view'
import { importObjects } from './cluster'
import { decodeScenario, type Scenario } from './link'

/** @param hash the address's hash, or what a scenario file holds; anything else is left alone */
export function openScenario(hash: string): void {
  try {
    const scenario = decodeScenario(hash)
    if (scenario) askFor(scenario)
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'bad')
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

function askFor(scenario: Scenario): void {
  const { objects, tabs } = scenario
  useView.getState().set({
    question: {
      title: 'Open the shared scenario?',
      text: `It holds ${count(objects.length, 'object')}, which take the place of everything in the cluster now, and ${count(tabs.length, 'file')}, which open beside yours. Nothing of it runs by itself.`,
      choices: [{ title: 'Open it', danger: true, run: () => void accept(scenario) }],
      onCancel: forgetLink,
    },
  })
}

async function accept({ objects, tabs }: Scenario): Promise<void> {
  try {
    await importObjects(objects)
    const editors = useEditors.getState()
    for (const tab of tabs) if (!editors.tabs.some(({ text }) => text === tab.text)) editors.open(tab)
    forgetLink()
    notify('The shared scenario is open')
  } catch (error) {
    notify(`The scenario could not be opened: ${error instanceof Error ? error.message : String(error)}`, 'bad')
  }
}

/** A reload must not ask again. */
function forgetLink(): void {
  history.replaceState(null, '', location.pathname + location.search)
}
