import { PLACES } from '../frame/places'
import { PANEL_NAMES } from '../state/embed-parameters'
import { ACTIVITY_TABS, type ActivityTab, type ObjectTab, useView } from '../state/view'

export type EmbedPanel =
  | { name: string; part: 'explorer' | 'editor' | 'lesson' }
  | { name: string; part: 'object'; tab: ObjectTab }
  | { name: string; part: 'activity'; tab: ActivityTab }
  | { name: string; part: 'place'; place: string }

const object = (name: string, tab: ObjectTab): EmbedPanel => ({ name, part: 'object', tab })
const activity = (name: ActivityTab): EmbedPanel => ({ name, part: 'activity', tab: name })

const KNOWN: readonly EmbedPanel[] = [
  { name: 'explorer', part: 'explorer' },
  { name: 'editor', part: 'editor' },
  { name: 'lesson', part: 'lesson' },
  object('object', 'now'),
  object('ownership', 'ownership'),
  object('history', 'history'),
  object('wire', 'wire'),
  ...ACTIVITY_TABS.map(activity),
  ...PLACES.filter(({ id }) => id !== 'workbench' && id !== 'lessons').map(
    ({ id }): EmbedPanel => ({ name: id, part: 'place', place: id }),
  ),
]

/** Unknown names are ignored. */
export const PANELS_SHOWN: readonly EmbedPanel[] = PANEL_NAMES.flatMap(
  (name) => KNOWN.find((panel) => panel.name === name) ?? [],
)

export const isPanel = (name: string): boolean => PANELS_SHOWN.some((panel) => panel.name === name)

export function showPanel(name: string): void {
  const panel = PANELS_SHOWN.find((one) => one.name === name)
  if (panel?.part === 'activity') useView.setState({ activity: panel.tab })
  if (panel?.part === 'object') useView.setState({ objectTab: panel.tab })
  if (panel?.part === 'place') useView.setState({ place: panel.place })
}
