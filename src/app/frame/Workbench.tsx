/** How the panels share the window: three columns where there is room, two where there is less, else one pane. */
import { Fragment, useLayoutEffect } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { Empty } from '../components/Empty'
import { Icon, type IconName } from '../components/Icon'
import { useMedia } from '../components/media'
import { Explorer } from '../features/explorer/Explorer'
import { Editors } from '../features/manifests/views/Editors'
import { ObjectView } from '../features/objects/views/ObjectView'
import { ONE_PANE, type Sharing, useLayout } from '../state/layout'
import { IN_LESSON } from '../state/lesson-workspace'
import { textStorage } from '../state/stored'
import { type Pane, useView } from '../state/view'
import { Activity } from './Activity'

/** Three columns need so much room; a lesson takes some of it. */
const ROOM_FOR_THREE = IN_LESSON ? 1440 : 1100

export function Workbench() {
  const narrow = useMedia(ONE_PANE)
  const medium = useMedia(`(max-width: ${ROOM_FOR_THREE - 1}px)`)
  const sharing: Sharing = medium ? 'medium' : 'wide'
  const { epoch, enlarged } = useLayout()
  useLayoutEffect(() => useLayout.getState().share(sharing), [sharing])
  if (narrow) return <OnePane />
  const Enlarged = PANES.find(({ pane }) => pane === enlarged)?.Body
  if (Enlarged) return <Enlarged />
  return medium ? <TwoColumns key={epoch} /> : <ThreeColumns key={epoch} />
}

/** Sizes are stored for each layout, and for each set of visible panels. */
function useSizes(id: string, panelIds: string[]) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: `kubetab.${id}`,
    panelIds,
    storage: textStorage,
  })
  return { id, onLayoutChanged, ...(defaultLayout ? { defaultLayout } : {}) }
}

/** @returns what is shown of the panels, in their order */
function useShown(sharing: Sharing): { shows: (panel: Pane) => boolean; objectFirst: boolean } {
  const { hidden, objectFirst } = useLayout((state) => state.arrangements[sharing])
  return { shows: (panel) => !hidden.includes(panel), objectFirst }
}

function ThreeColumns() {
  const { shows, objectFirst } = useShown('wide')
  const middle = (
    objectFirst ? (['object', 'editor'] as const) : (['editor', 'object'] as const)
  ).filter(shows)
  const columns = useSizes(
    'wide-columns',
    ['explorer', 'work'].filter((id) => id === 'work' || shows('explorer')),
  )
  const rows = useSizes('wide-rows', [
    ...(middle.length > 0 ? ['upper'] : []),
    ...(shows('activity') ? ['activity'] : []),
  ])
  const upper = useSizes(objectFirst ? 'wide-upper-swapped' : 'wide-upper', [...middle])
  return (
    <Group orientation="horizontal" {...columns}>
      {shows('explorer') && (
        <>
          <Panel id="explorer" defaultSize="268px" minSize="190px" maxSize="45%">
            <Explorer />
          </Panel>
          <Separator className="handle column" aria-label="Width of the explorer" />
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
                      <Separator className="handle column" aria-label="Width of the object" />
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
          {middle.length > 0 && shows('activity') && (
            <Separator className="handle row" aria-label="Height of the activity" />
          )}
          {shows('activity') && (
            <Panel id="activity" defaultSize="40%" minSize="110px">
              <Activity />
            </Panel>
          )}
          {middle.length === 0 && !shows('activity') && <NothingShown />}
        </Group>
      </Panel>
    </Group>
  )
}

function TwoColumns() {
  const { shows, objectFirst } = useShown('medium')
  const left = (
    objectFirst ? (['object', 'explorer'] as const) : (['explorer', 'object'] as const)
  ).filter(shows)
  const right = (['editor', 'activity'] as const).filter(shows)
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
                  <Separator className="handle row" aria-label="Height of the explorer" />
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
        <Separator className="handle column" aria-label="Width of the left side" />
      )}
      {right.length > 0 && (
        <Panel id="right" minSize="320px">
          <Group orientation="vertical" {...rightRows}>
            {right.map((panel, index) => (
              <Fragment key={panel}>
                {index > 0 && (
                  <Separator className="handle row" aria-label="Height of the activity" />
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

/** Everything was hidden. */
function NothingShown() {
  return (
    <Empty icon="columns" title="All panels are hidden">
      <button type="button" className="button" onClick={() => useLayout.getState().reset()}>
        Reset layout
      </button>
    </Empty>
  )
}

const PANES: { pane: Pane; title: string; icon: IconName; Body: React.ComponentType }[] = [
  { pane: 'explorer', title: 'Explorer', icon: 'tree', Body: Explorer },
  { pane: 'editor', title: 'Editor', icon: 'edit', Body: Editors },
  { pane: 'object', title: 'Object', icon: 'object', Body: ObjectView },
  { pane: 'activity', title: 'Activity', icon: 'pulse', Body: Activity },
]

function OnePane() {
  const { pane, set } = useView()
  const { Body } =
    PANES.find((entry) => entry.pane === pane) ?? (PANES[1] as (typeof PANES)[number])
  return (
    <>
      <div className="one-pane">
        <Body />
      </div>
      <nav className="panes" aria-label="Panes">
        {PANES.map((entry) => (
          <button
            key={entry.pane}
            type="button"
            aria-current={pane === entry.pane ? 'page' : undefined}
            onClick={() => set({ pane: entry.pane })}
          >
            <Icon name={entry.icon} size={20} />
            {entry.title}
          </button>
        ))}
      </nav>
    </>
  )
}
