/** The page's first line of code: theme, then the API, then what it has to show. */
import './theme.css'
import './layout.css'
import './frame.css'
import './pieces.css'
import './components.css'
import './explorer.css'
import './editors.css'
import './object.css'
import './activity.css'
import './watches.css'
import './inside.css'
import './dialogs.css'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { EMBEDDED } from './embed/parameters'
import { useConnection } from './state/connection'
import { ONE_PANE } from './state/layout'
import { showTheme, useView } from './state/view'
import { followHistory } from './state/browser-history'
import { IS_WIPE_PAGE, followWipes } from './stored/wipe'

/** So long the page's frame stands empty at most; by then the server has said something, or something is in its way. */
const PATIENCE_MILLISECONDS = 400

function show(): void {
  createRoot(root).render(<App />)
}

const root = document.getElementById('root') as HTMLElement

void import('./components/cut').then(({ showTruncatedTitles }) => showTruncatedTitles())
if (IS_WIPE_PAGE) void import('./stored/WipePage').then(({ showWipePage }) => showWipePage(root))
else if (EMBEDDED) void import('./embed/start').then(({ startEmbed }) => startEmbed(root))
else {
  followWipes()
  showTheme(useView.getState().theme)
  followHistory(window, ONE_PANE)
  void useConnection.getState().start()
  // The server starts beside the page, on machines of two cores instead of it: what is drawn at once is in index.html, and the page
  // is usable sooner when it is drawn with what there is to show.
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS))
  void Promise.race([useConnection.getState().ready, patience]).then(show)
}
