import type { Command } from '../commands/registry'
import { useLayout } from '../state/layout'
import { useRequests } from '../state/requests'
import { type ActivityTab, type Pane, type Theme, useView } from '../state/view'
import { PLACES } from './places'

const view = () => useView.getState()

export const WORKSPACE_COMMANDS: Command[] = [
  {
    id: 'release',
    title: 'Choose the Kubernetes release',
    group: 'Cluster',
    run: () => view().set({ dialog: 'release' }),
  },
  {
    id: 'workspaces',
    title: 'Workspaces: other clusters and files in this browser',
    group: 'Cluster',
    run: () => view().set({ dialog: 'workspaces' }),
  },
  {
    id: 'stored',
    title: 'Data stored in this browser: inspect, keep, delete',
    group: 'Cluster',
    run: () => view().set({ dialog: 'stored' }),
  },
]

const TABS: ActivityTab[] = ['results', 'requests', 'watches', 'audit', 'output']
const THEMES: Theme[] = ['system', 'light', 'dark']

function goTo(pane: Pane): void {
  view().set({ pane })
  if (pane === 'editor')
    return void import('../features/editor/CodeEditor').then(({ focusEditor }) => focusEditor())
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-pane=${pane}] [data-pane-focus]`)?.focus(),
  )
}

function find(): void {
  view().set({ pane: 'explorer' })
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-filter]')?.focus())
}

/** A terminal that is not shown yet takes the focus when it appears. */
function showConsole(): void {
  view().set({ activity: 'console', pane: 'activity' })
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('.xterm-helper-textarea')?.focus(),
  )
}

const PANELS: { panel: Pane; title: string }[] = [
  { panel: 'explorer', title: 'explorer' },
  { panel: 'editor', title: 'editor' },
  { panel: 'object', title: 'object' },
  { panel: 'activity', title: 'activity' },
]

export const LAYOUT_COMMANDS: Command[] = [
  ...PANELS.map(
    ({ panel, title }): Command => ({
      id: `toggle-${panel}`,
      title: `Hide or show the ${title}`,
      group: 'View',
      run: () => useLayout.getState().toggle(panel),
    }),
  ),
  ...PANELS.map(
    ({ panel, title }): Command => ({
      id: `enlarge-${panel}`,
      title: `Enlarge the ${title}, or put it back`,
      group: 'View',
      run: () => useLayout.getState().enlarge(panel),
    }),
  ),
  { id: 'swap', title: 'Swap panels', group: 'View', run: () => useLayout.getState().swap() },
  {
    id: 'reset-layout',
    title: 'Reset the layout',
    group: 'View',
    run: () => useLayout.getState().reset(),
  },
]

export const VIEW_COMMANDS: Command[] = [
  ...PLACES.map(
    ({ id, title, about }): Command => ({
      id: `place-${id}`,
      title: `Go to ${title}: ${about}`,
      group: 'View',
      run: () => view().set({ place: id }),
    }),
  ),
  { id: 'find', title: 'Find in the explorer', group: 'View', keys: '/', run: find },
  {
    id: 'go-explorer',
    title: 'Go to the explorer',
    group: 'View',
    keys: 'Mod+Shift+1',
    run: () => goTo('explorer'),
  },
  {
    id: 'go-editor',
    title: 'Go to the editor',
    group: 'View',
    keys: 'Mod+Shift+2',
    run: () => goTo('editor'),
  },
  {
    id: 'go-object',
    title: 'Go to the object',
    group: 'View',
    keys: 'Mod+Shift+3',
    run: () => goTo('object'),
  },
  {
    id: 'go-activity',
    title: 'Go to the activity',
    group: 'View',
    keys: 'Mod+Shift+4',
    run: () => goTo('activity'),
  },
  {
    id: 'show-console',
    title: 'Open the console: kubectl for this cluster',
    group: 'View',
    keys: 'Mod+Shift+5',
    run: showConsole,
  },
  ...TABS.map(
    (activity): Command => ({
      id: `show-${activity}`,
      title: `Show ${activity}`,
      group: 'View',
      run: () => view().set({ activity, pane: 'activity' }),
    }),
  ),
  {
    id: 'clear-log',
    title: 'Clear the request log',
    group: 'View',
    run: () => useRequests.getState().clear(),
  },
  {
    id: 'welcome',
    title: 'Show welcome panel',
    group: 'View',
    run: () => view().set({ welcome: true, pane: 'editor' }),
  },
  ...THEMES.map(
    (theme): Command => ({
      id: `theme-${theme}`,
      title: `Theme: ${theme}`,
      group: 'View',
      run: () => view().set({ theme }),
    }),
  ),
]

export const HELP_COMMANDS: Command[] = [
  {
    id: 'explain-field',
    title: 'Explain the field at the cursor',
    group: 'Help',
    keys: 'Shift+F1',
    run: () =>
      void import('../features/editor/CodeEditor').then(({ explainField }) => explainField()),
  },
  {
    id: 'palette',
    title: 'Search everything',
    group: 'Help',
    keys: 'Mod+K',
    run: () => view().set({ dialog: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Help',
    keys: '?',
    run: () => view().set({ dialog: 'shortcuts' }),
  },
  {
    id: 'about',
    title: "What's simulated and what isn't",
    group: 'Help',
    run: () => view().set({ dialog: 'about' }),
  },
]
