/** The page's first line of code: theme, first paint, then the API. */
import './theme.css'
import './layout.css'
import './components.css'
import './panels.css'
import './object.css'
import './watches.css'
import './inside.css'
import './dialogs.css'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { useConnection } from './state/connection'
import { showTheme, useView } from './state/view'

showTheme(useView.getState().theme)
createRoot(document.getElementById('root') as HTMLElement).render(<App />)
void useConnection.getState().start()
