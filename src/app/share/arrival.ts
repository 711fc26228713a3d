/**
 * A shared link or file opens in a workspace of its own, so that it loses nothing; who wants it here instead is asked. Its scripts
 * open, and wait to be run by a person.
 */

import { FIRST_WORKSPACE } from '../../hosts/shared/paths'
import { useEditors } from '../state/editors'
import { notify, useView } from '../state/view'
import { freeName, useWorkspaces } from '../state/workspaces'
import { WORKSPACE } from '../workspace'
import { importObjects } from './cluster'
import { decodeScenario, type Scenario } from './link'

/** @param hash the address's hash, or what a scenario file holds; anything else is left alone */
export function openScenario(hash: string): void {
  try {
    const scenario = decodeScenario(hash)
    if (scenario === undefined) return
    if (isExpected()) void accept(scenario)
    else askFor(scenario, hash.replace(/^#?/, '#'))
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'bad')
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

/** This workspace was made for what the address brings. */
const EXPECTED = 'kubetab.expected'

function isExpected(): boolean {
  try {
    const expected = sessionStorage.getItem(EXPECTED) === WORKSPACE && WORKSPACE !== FIRST_WORKSPACE
    sessionStorage.removeItem(EXPECTED)
    return expected
  } catch {
    return false
  }
}

function openBeside(hash: string): void {
  const name = freeName('shared')
  try {
    sessionStorage.setItem(EXPECTED, name)
  } catch {
    // Then the new workspace asks once more.
  }
  forgetLink()
  useWorkspaces.getState().open(name, hash)
}

function askFor(scenario: Scenario, hash: string): void {
  const { objects, tabs } = scenario
  useView.getState().set({
    question: {
      title: 'Open the shared scenario?',
      text: `It holds ${count(objects.length, 'object')} and ${count(tabs.length, 'file')}. In a workspace of its own it touches nothing of yours; opened here, its objects take the place of everything in the cluster now. Nothing of it runs by itself.`,
      choices: [
        { title: 'Replace this cluster', danger: true, run: () => void accept(scenario) },
        { title: 'Open in a new workspace', run: () => openBeside(hash) },
      ],
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
