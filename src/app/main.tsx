import './theme.css'
import './frame/layout.css'
import './frame/frame.css'
import './components/pieces.css'
import './components/fields.css'
import './components/components.css'
import './features/explorer/explorer.css'
import './features/manifests/editors.css'
import './features/objects/object.css'
import './frame/activity.css'
import './features/watches/watches.css'
import './features/requests/inside.css'
import './frame/dialogs.css'
import { createRoot } from 'react-dom/client'
import { registerCommands } from './commands/registry'
import { followWipes, IS_WIPE_PAGE } from './features/stored/wipe'
import { callHandler } from './features/webhooks/call-handler'
import { followWorkspaces } from './features/workspaces/workspaces'
import { App } from './frame/App'
import { COMMANDS } from './frame/all-commands'
import { followHistory } from './state/browser-history'
import { useConnection } from './state/connection'
import { EMBEDDED } from './state/embed-parameters'
import { ONE_PANE } from './state/layout'
import { showTheme, useView } from './state/view'

/** Maximum time with an empty frame while the server starts. */
const PATIENCE_MILLISECONDS = 400

function show(): void {
  createRoot(root).render(<App />)
}

registerCommands(COMMANDS)

const root = document.getElementById('root') as HTMLElement

void import('./components/cut').then(({ showTruncatedTitles }) => showTruncatedTitles())
if (IS_WIPE_PAGE)
  void import('./features/stored/WipePage').then(({ showWipePage }) => showWipePage(root))
else if (EMBEDDED) void import('./embed/start').then(({ startEmbed }) => startEmbed(root))
else {
  followWipes()
  followWorkspaces()
  showTheme(useView.getState().theme)
  followHistory(window, ONE_PANE)
  void useConnection.getState().start(callHandler)
  // With two cores, the server's start competes with the first render. index.html paints the frame;
  // the page is usable sooner if it then renders once, with data.
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS))
  void Promise.race([useConnection.getState().ready, patience]).then(show)
}
