import type { Command } from '../commands/registry'
import { useLayout } from '../state/layout'
import { useRequests } from '../state/requests'
import { type ActivityTab, type Pane, type Theme, useView } from '../state/view'
import { PLACES } from './places'
import * as texts from './texts'

const view = () => useView.getState()

export const WORKSPACE_COMMANDS: Command[] = [
  {
    id: 'release',
    title: texts.commands.release,
    group: 'Cluster',
    run: () => view().set({ dialog: 'release' }),
  },
  {
    id: 'workspaces',
    title: texts.commands.workspaces,
    group: 'Cluster',
    run: () => view().set({ dialog: 'workspaces' }),
  },
  {
    id: 'branch',
    title: texts.commands.branch,
    group: 'Cluster',
    run: () => void import('../features/workspaces/branches').then(({ branchOff }) => branchOff()),
  },
  {
    id: 'side-by-side',
    title: texts.commands.sideBySide,
    group: 'Cluster',
    run: () =>
      void import('../features/releases/state').then(({ showSideBySide }) => showSideBySide()),
  },
  {
    id: 'stored',
    title: texts.commands.stored,
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

const PANELS: readonly Pane[] = ['explorer', 'editor', 'object', 'activity']

export const LAYOUT_COMMANDS: Command[] = [
  ...PANELS.map(
    (panel): Command => ({
      id: `toggle-${panel}`,
      title: texts.togglePanel(panel),
      group: 'View',
      run: () => useLayout.getState().toggle(panel),
    }),
  ),
  ...PANELS.map(
    (panel): Command => ({
      id: `enlarge-${panel}`,
      title: texts.enlargePanel(panel),
      group: 'View',
      run: () => useLayout.getState().enlarge(panel),
    }),
  ),
  { id: 'swap', title: texts.commands.swap, group: 'View', run: () => useLayout.getState().swap() },
  {
    id: 'reset-layout',
    title: texts.commands.resetLayout,
    group: 'View',
    run: () => useLayout.getState().reset(),
  },
]

export const VIEW_COMMANDS: Command[] = [
  ...PLACES.map(
    ({ id, title, about }): Command => ({
      id: `place-${id}`,
      title: texts.goToPlace(title, about),
      group: 'View',
      run: () => view().set({ place: id }),
    }),
  ),
  { id: 'find', title: texts.commands.find, group: 'View', keys: '/', run: find },
  ...PANELS.map(
    (pane, index): Command => ({
      id: `go-${pane}`,
      title: texts.goToPanel(pane),
      group: 'View',
      keys: `Mod+Shift+${index + 1}`,
      run: () => goTo(pane),
    }),
  ),
  {
    id: 'show-console',
    title: texts.commands.console,
    group: 'View',
    keys: 'Mod+Shift+5',
    run: showConsole,
  },
  ...TABS.map(
    (activity): Command => ({
      id: `show-${activity}`,
      title: texts.showTab(activity),
      group: 'View',
      run: () => view().set({ activity, pane: 'activity' }),
    }),
  ),
  {
    id: 'clear-log',
    title: texts.commands.clearLog,
    group: 'View',
    run: () => useRequests.getState().clear(),
  },
  {
    id: 'welcome',
    title: texts.commands.welcome,
    group: 'View',
    run: () => view().set({ welcome: true, pane: 'editor' }),
  },
  ...THEMES.map(
    (theme): Command => ({
      id: `theme-${theme}`,
      title: texts.themeCommand(theme),
      group: 'View',
      run: () => view().set({ theme }),
    }),
  ),
]

export const HELP_COMMANDS: Command[] = [
  {
    id: 'explain-field',
    title: texts.commands.explainField,
    group: 'Help',
    keys: 'Shift+F1',
    run: () =>
      void import('../features/editor/CodeEditor').then(({ explainField }) => explainField()),
  },
  {
    id: 'palette',
    title: texts.commands.search,
    group: 'Help',
    keys: 'Mod+K',
    run: () => view().set({ dialog: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: texts.shortcuts,
    group: 'Help',
    keys: '?',
    run: () => view().set({ dialog: 'shortcuts' }),
  },
  {
    id: 'about',
    title: texts.about,
    group: 'Help',
    run: () => view().set({ dialog: 'about' }),
  },
]
