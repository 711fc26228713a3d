/**
 * Opens a shared link or file in a workspace of its own, so that no data of the user is lost.
 * Scripts open without running; requests wait to be replayed.
 */

import { type EngineSettings, UNNAMED_RELEASE } from '../../../hosts/shared/engine-settings'
import { FIRST_WORKSPACE } from '../../../hosts/shared/paths'
import { countText } from '../../components/format'
import { useActors } from '../../state/actors'
import { resourceAt, useDiscovery } from '../../state/discovery'
import { EMBEDDED } from '../../state/embed-parameters'
import { PLACE_IDS } from '../../state/place-ids'
import { ACTIVITY_TABS, notify, OBJECT_TABS, type Pane, useView } from '../../state/view'
import { titleOf, WORKSPACE } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { freeName, REMOVED_MARK, useWorkspaces } from '../workspaces/workspaces'
import { accessFrom, accessInWords } from './access'
import { importObjects } from './cluster'
import { decodeScenario } from './link'
import type { Scenario, SharedView } from './scenario'
import { useScenario } from './scenario-state'
import { ARRIVAL } from './texts'
import { stash, unstash } from './window-name-transfer'

/**
 * @param hash ignored unless it is a scenario or the mark of a removed workspace
 * @returns when the scenario or its confirmation is open; errors are shown
 */
export async function openScenario(hash: string): Promise<void> {
  if (hash.startsWith(REMOVED_MARK)) {
    clearLink()
    notify(ARRIVAL.workspaceRemoved(hash.slice(REMOVED_MARK.length), titleOf(WORKSPACE)), 'bad')
    return
  }
  try {
    const scenario = decodeScenario(hash)
    if (scenario === undefined) return
    if (EMBEDDED || isExpected()) await accept(scenario)
    else confirmOpen(scenario, hash)
  } catch (error) {
    clearLink()
    notify(error instanceof Error ? error.message : String(error), 'bad')
  }
}

export function openScenarioFile(name: string, text: string): void {
  try {
    const scenario = decodeScenario(text, { name, instead: ARRIVAL.newLink })
    if (scenario === undefined) throw new Error(ARRIVAL.noScenario(name))
    confirmOpen(scenario, text)
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'bad')
  }
}

/** Storage key; marks a workspace as created for the scenario in the address. */
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

function openInNewWorkspace(hash: string): void {
  const name = freeName('shared')
  try {
    sessionStorage.setItem(EXPECTED, name)
  } catch {
    // The new workspace confirms again.
  }
  clearLink()
  stash(hash)
  useWorkspaces.getState().open(name)
}

function contentsOf({
  objects,
  tabs,
  requests = [],
  from,
  clock,
  handlers = [],
  access,
  settings: { release } = {},
}: Scenario): string {
  const scripts = tabs.filter(({ language }) => language === 'typescript').length
  const parts = [
    countText(objects.length, 'object'),
    countText(tabs.length, 'file') + (scripts > 0 ? ` (${countText(scripts, 'script')})` : ''),
    ...(requests.length > 0 ? [countText(requests.length, ARRIVAL.recordedRequest)] : []),
    ...(handlers.length > 0 ? [ARRIVAL.webhooks(handlers.length)] : []),
    ...(access ? [ARRIVAL.access(accessInWords(access))] : []),
    ...(release && release !== UNNAMED_RELEASE ? [ARRIVAL.release(release)] : []),
    ...(clock ? [clock.rate === 0 ? ARRIVAL.pausedClock : ARRIVAL.ownClock] : []),
  ]
  const holds = ARRIVAL.and(parts.slice(0, -1).join(', '), parts.at(-1) ?? '')
  return ARRIVAL.contains(holds, from ? ARRIVAL.sender(from) : '')
}

function confirmOpen(scenario: Scenario, hash: string): void {
  useView.getState().set({
    question: {
      title: ARRIVAL.question,
      text: ARRIVAL.consequence(contentsOf(scenario)),
      choices: [{ title: ARRIVAL.open, run: () => openInNewWorkspace(hash) }],
      onCancel: clearLink,
    },
  })
}

async function accept(scenario: Scenario): Promise<void> {
  try {
    await takeIn(scenario)
    clearLink()
    if (!EMBEDDED) notifyOpened(scenario)
  } catch (error) {
    notify(ARRIVAL.failed(error instanceof Error ? error.message : String(error)), 'bad')
  }
}

function notifyOpened({ handlers = [] }: Scenario): void {
  // Keeps the notice that a part was rejected.
  if (useView.getState().notices.some(({ tone }) => tone === 'bad')) return
  const off = handlers.length > 0 ? ARRIVAL.webhooksOff(handlers.length) : ''
  notify(ARRIVAL.opened(off))
}

/** Replaces everything in this workspace without confirmation. @throws Error if that fails */
export async function takeIn(scenario: Scenario): Promise<void> {
  const { tabs, from = '', requests = [], view, actors } = scenario
  await takeCluster(scenario)
  if (actors) useActors.getState().takeShared(actors)
  const marked = tabs.map((tab) =>
    tab.language === 'typescript' ? { ...tab, from: from || UNNAMED } : tab,
  )
  useEditors.getState().openInstead(marked, view?.file)
  useScenario.getState().take(from, requests)
  show(view)
}

const UNNAMED = ARRIVAL.anonymous

/** An access configuration that this release rejects is omitted and reported. */
async function takeCluster({
  objects,
  clock,
  settings,
  handlers,
  access,
  from = '',
}: Scenario): Promise<void> {
  const set = {
    release: UNNAMED_RELEASE,
    ...settings,
    // Code is generated again from the source that the user reviews.
    ...(handlers && {
      handlers: handlers.map((handler) => ({ ...handler, code: '', from: from || UNNAMED })),
    }),
  }
  const take = (all: Partial<EngineSettings>) =>
    importObjects(objects, {
      ...(clock && { clock }),
      settings: all,
    })
  if (access === undefined) return take(set)
  try {
    await take({ ...set, access: accessFrom(access) })
  } catch (error) {
    await take(set)
    notify(ARRIVAL.accessRejected(error instanceof Error ? error.message : String(error)), 'bad')
  }
}

const PANES: readonly Pane[] = ['explorer', 'editor', 'object', 'activity']

/** Ignores values that another version of the page has renamed or removed. */
function show(view: SharedView | undefined): void {
  const { set, ...now } = useView.getState()
  const { selected } = view ?? {}
  const resource = selected && resourceAt(useDiscovery.getState().resources, selected)
  set({
    welcome: false,
    place: PLACE_IDS.find((id) => id === view?.place) ?? now.place,
    activity: ACTIVITY_TABS.find((tab) => tab === view?.activity) ?? now.activity,
    objectTab: OBJECT_TABS.find((tab) => tab === view?.objectTab) ?? now.objectTab,
    namespace: view?.namespace ?? now.namespace,
    selected: selected &&
      resource && { resource, namespace: selected.namespace, name: selected.name },
  })
  // A pane without an object would show the workbench.
  const pane = PANES.find((one) => one === view?.pane)
  if (pane !== undefined) useView.setState({ pane })
}

/** Prevents the same prompt after a reload. */
function clearLink(): void {
  if (unstash() !== '') stash('')
  history.replaceState(history.state, '', location.pathname + location.search)
}
