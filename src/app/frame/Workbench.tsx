import { useLayoutEffect } from 'react'
import { useMedia } from '../components/media'
import { ONE_PANE, type Sharing, useLayout } from '../state/layout'
import { IN_LESSON } from '../state/lesson-workspace'
import { OnePane, PANES } from './OnePane'
import { ThreeColumns } from './ThreeColumns'
import { TwoColumns } from './TwoColumns'

/** Pixels; a lesson uses some of the width. */
const ROOM_FOR_THREE = IN_LESSON ? 1440 : 1100

export function Workbench() {
  const narrow = useMedia(ONE_PANE)
  const medium = useMedia(`(max-width: ${ROOM_FOR_THREE - 1}px)`)
  const sharing: Sharing = medium ? 'medium' : 'wide'
  const epoch = useLayout((state) => state.epoch)
  const enlarged = useLayout((state) => state.enlarged)
  useLayoutEffect(() => useLayout.getState().share(sharing), [sharing])
  if (narrow) return <OnePane />
  const Enlarged = PANES.find(({ pane }) => pane === enlarged)?.Body
  if (Enlarged) return <Enlarged />
  return medium ? <TwoColumns key={epoch} /> : <ThreeColumns key={epoch} />
}
