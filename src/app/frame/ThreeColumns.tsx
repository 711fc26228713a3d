/** The explorer, next to editor and object above the activity. */
import { Fragment } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { Explorer } from '../features/explorer/Explorer'
import { Editors } from '../features/manifests/views/Editors'
import { ObjectView } from '../features/objects/views/ObjectView'
import { useLayout } from '../state/layout'
import { Activity } from './Activity'
import { NothingShown } from './NothingShown'
import { useSizes } from './panel-sizes'
import { widePanels } from './panels'
import * as texts from './texts'

export function ThreeColumns() {
  const arrangement = useLayout((state) => state.arrangements.wide)
  const { objectFirst } = arrangement
  const { explorer, upper: middle, activity } = widePanels(arrangement)
  const columns = useSizes(
    'wide-columns',
    ['explorer', 'work'].filter((id) => id === 'work' || explorer),
  )
  const rows = useSizes('wide-rows', [
    ...(middle.length > 0 ? ['upper'] : []),
    ...(activity ? ['activity'] : []),
  ])
  const upper = useSizes(objectFirst ? 'wide-upper-swapped' : 'wide-upper', [...middle])
  return (
    <Group orientation="horizontal" {...columns}>
      {explorer && (
        <>
          <Panel id="explorer" defaultSize="268px" minSize="190px" maxSize="45%">
            <Explorer />
          </Panel>
          <Separator className="handle column" aria-label={texts.explorerWidth} />
        </>
      )}
      <Panel id="work" minSize="520px">
        <Group orientation="vertical" {...rows}>
          {middle.length > 0 && (
            <Panel id="upper" minSize="180px">
              <Group orientation="horizontal" {...upper}>
                {middle.map((panel, index) => (
                  <Fragment key={panel}>
                    {index > 0 && (
                      <Separator className="handle column" aria-label={texts.objectWidth} />
                    )}
                    {panel === 'editor' ? (
                      <Panel id="editor" minSize="320px">
                        <Editors />
                      </Panel>
                    ) : (
                      <Panel id="object" defaultSize="40%" minSize="240px">
                        <ObjectView />
                      </Panel>
                    )}
                  </Fragment>
                ))}
              </Group>
            </Panel>
          )}
          {middle.length > 0 && activity && (
            <Separator className="handle row" aria-label={texts.activityHeight} />
          )}
          {activity && (
            <Panel id="activity" defaultSize="40%" minSize="110px">
              <Activity />
            </Panel>
          )}
          {middle.length === 0 && !activity && <NothingShown />}
        </Group>
      </Panel>
    </Group>
  )
}
