import { createRoot } from 'react-dom/client'
import { THEME_PARAMETER } from '../state/embed-parameters'
import { showTheme, useView } from '../state/view'
import Embed from './Embed'
import { speakWithParent } from './messages'
import { PANELS_SHOWN, showPanel } from './panels'
import { prepareFrame } from './prepared'

const THEMES = ['light', 'dark'] as const

export async function startEmbed(root: HTMLElement): Promise<void> {
  const theme = THEMES.find((one) => one === THEME_PARAMETER) ?? 'system'
  useView.setState({ theme, welcome: false })
  showTheme(theme)
  // The first named panel of each kind is in front.
  for (const { name } of [...PANELS_SHOWN].reverse()) showPanel(name)
  speakWithParent()
  await prepareFrame()
  createRoot(root).render(<Embed />)
}
