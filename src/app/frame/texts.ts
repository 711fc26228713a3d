import type { PlaceId } from '../state/place-ids'
import type { ActivityTab, Pane, Theme } from '../state/view'

// Top bar

export const brand = 'kubetab'
export const about = "What's simulated and what isn't"
export const otherWorkspace = 'Another workspace: its own cluster and files'
export const search = 'Search or run a command'
export const share = 'Share'
export const kubernetes = 'Kubernetes'
export const releaseNamed = (release: string) => `Kubernetes release ${release}`

// Menu of the top bar

export const more = 'More'
export const workspaces = 'Workspaces'
export const shareLink = 'Share a link'
export const exportCluster = 'Export the cluster'
export const importCluster = 'Import a cluster'
export const resetCluster = 'Reset the cluster'
export const yaml = 'YAML'
export const theme = 'Theme'
export const themes: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }
export const shortcuts = 'Keyboard shortcuts'
export const simulated = 'What is simulated'

// User of the requests

export const actingAs = (user: string) => `Acting as ${user}`
export const actors = 'Requests are sent as'
export const noGroups = 'no groups'
export const fieldManager = 'Field manager'
export const fieldManagerPlaceholder = "default: kubectl's name"
export const fieldManagerAbout = 'Field manager recorded in managedFields for your writes.'

// Banners

export const newVersion = 'A new version is available. Your clusters and files are kept.'
export const updateNow = 'Update now'
export const later = 'Later'
export const invalidWorkspace = (name: string, shown: string) =>
  `“${name}” is not a valid workspace name. Use at most 40 lowercase letters, digits, and inner hyphens. This is ${shown}.`
export const notStarted = (failure: string) =>
  `The API server could not start: ${failure}. Reload the page. If that does not help, reset the cluster from the menu at the top right.`
export const noDiscovery = (failure: string) => `Discovery failed: ${failure}`
export const noWorker = (reason: string) =>
  `The API server runs in this page instead of a service worker (${reason}). Other tabs do not see its changes until they are reloaded, and only scripts of this page reach it.`

// Views

export const views = 'Views'
export const loading = (place: string) => `Loading ${place.toLowerCase()} …`
export const places: Record<PlaceId, { title: string; about: string }> = {
  workbench: { title: 'Workbench', about: 'Manifests, objects, requests and watches' },
  access: { title: 'Access', about: 'Who can do what, and why' },
  cluster: { title: 'Cluster', about: 'Live cluster: pods, nodes, time controls, failures' },
  lessons: {
    title: 'Lessons',
    about: 'Hands-on lessons, and incidents to solve, each in its own cluster',
  },
  policy: { title: 'Policy', about: 'CEL, admission policies and CRDs' },
  handlers: {
    title: 'Webhooks',
    about: 'Write webhooks and aggregated API servers in JavaScript',
  },
  releases: { title: 'Releases', about: 'Test manifests against other Kubernetes versions' },
}

// Panels

export const panels = 'Panels'
export const panes = 'Panes'
export const paneTitles: Record<Pane, string> = {
  explorer: 'Explorer',
  editor: 'Editor',
  object: 'Object',
  activity: 'Activity',
}
export const activityTabs: Record<ActivityTab, string> = {
  results: 'Results',
  requests: 'Requests',
  watches: 'Watches',
  audit: 'Audit',
  console: 'Console',
  output: 'Output',
}
/** In “Hide the activity”. */
export const activity = 'activity'
export const hidePanel = (title: string) => `Hide: ${title}`
export const showPanel = (title: string) => `Show: ${title}`
export const allHidden = 'All panels are hidden'
export const resetLayout = 'Reset layout'
export const explorerWidth = 'Width of the explorer'
export const explorerHeight = 'Height of the explorer'
export const objectWidth = 'Width of the object'
export const activityHeight = 'Height of the activity'
export const leftWidth = 'Width of the left side'

// Status bar

export const notRunning = 'not running'
export const inPage = 'running in this page'
export const inWorker = 'Server: service worker'
export const starting = 'starting …'
export const revision = (revision: number) => `revision ${revision}`
export const watches = (count: number) => `${count} watches`
export const watchesAbout = 'Watches that keep the explorer up to date'
export const bridged = 'kubectl can connect to this tab'
export const bridgedAbout = 'npm start printed the KUBECONFIG path'
export const lastRequest = 'Last request'
export const lastRequestOf = (method: string, path: string) => `Last request: ${method} ${path}`
export const copyLastRequest = 'Copy the last request as kubectl, curl or fetch'
export const simulatedRelease = (release: string) =>
  `Simulated: the API server of Kubernetes ${release}`
export const simulatedNodes = ' with its controllers and scheduler, on simulated nodes'

// Questions and notices

export const cancel = 'Cancel'
export const dismiss = 'Dismiss'

// Commands

export const commands = {
  release: 'Choose the Kubernetes release',
  workspaces: 'Workspaces: other clusters and files in this browser',
  branch: 'Branch: try changes in a copy of this cluster',
  sideBySide: 'Side by side: one request in two branches, releases, users or feature gates',
  stored: 'Data stored in this browser: inspect, keep, delete',
  swap: 'Swap panels',
  resetLayout: 'Reset the layout',
  find: 'Find in the explorer',
  console: 'Open the console: kubectl for this cluster',
  clearLog: 'Clear the request log',
  welcome: 'Show welcome panel',
  explainField: 'Explain the field at the cursor',
  search: 'Search everything',
} as const
export const togglePanel = (pane: Pane) => `Hide or show the ${pane}`
export const enlargePanel = (pane: Pane) => `Enlarge the ${pane}, or put it back`
export const goToPanel = (pane: Pane) => `Go to the ${pane}`
export const goToPlace = (title: string, about: string) => `Go to ${title}: ${about}`
export const showTab = (tab: ActivityTab) => `Show ${tab}`
export const themeCommand = (theme: Theme) => `Theme: ${theme}`
