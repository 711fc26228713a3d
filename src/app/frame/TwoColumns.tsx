/** Explorer and object, next to editor and activity. */
import { Fragment } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { Explorer } from '../features/explorer/Explorer'
import { Editors } from '../features/manifests/views/Editors'
import { ObjectView } from '../features/objects/views/ObjectView'
import { useLayout } from '../state/layout'
import { Activity } from './Activity'
import { NothingShown } from './NothingShown'
import { useSizes } from './panel-sizes'
import { mediumPanels } from './panels'
import * as texts from './texts'

export function TwoColumns() {
  const arrangement = useLayout((state) => state.arrangements.medium)
  const { objectFirst } = arrangement
  const { left, right } = mediumPanels(arrangement)
  const columns = useSizes('medium-columns', [
    ...(left.length > 0 ? ['left'] : []),
    ...(right.length > 0 ? ['right'] : []),
  ])
  const leftRows = useSizes(objectFirst ? 'medium-left-swapped' : 'medium-left', [...left])
  const rightRows = useSizes('medium-right', [...right])
  if (left.length + right.length === 0) return <NothingShown />
  return (
    <Group orientation="horizontal" {...columns}>
      {left.length > 0 && (
        <Panel id="left" defaultSize="40%" minSize="220px">
          <Group orientation="vertical" {...leftRows}>
            {left.map((panel, index) => (
              <Fragment key={panel}>
                {index > 0 && (
                  <Separator className="handle row" aria-label={texts.explorerHeight} />
                )}
                <Panel
                  id={panel}
                  minSize="140px"
                  {...(panel === 'explorer' ? { defaultSize: '45%' } : {})}
                >
                  {panel === 'explorer' ? <Explorer /> : <ObjectView />}
                </Panel>
              </Fragment>
            ))}
          </Group>
        </Panel>
      )}
      {left.length > 0 && right.length > 0 && (
        <Separator className="handle column" aria-label={texts.leftWidth} />
      )}
      {right.length > 0 && (
        <Panel id="right" minSize="320px">
          <Group orientation="vertical" {...rightRows}>
            {right.map((panel, index) => (
              <Fragment key={panel}>
                {index > 0 && (
                  <Separator className="handle row" aria-label={texts.activityHeight} />
                )}
                {panel === 'editor' ? (
                  <Panel id="editor" minSize="180px">
                    <Editors />
                  </Panel>
                ) : (
                  <Panel id="activity" defaultSize="40%" minSize="110px">
                    <Activity />
                  </Panel>
                )}
              </Fragment>
            ))}
          </Group>
        </Panel>
      )}
    </Group>
  )
}
