/** How the panels share the window: three columns where there is room, two where there is less, one pane on a phone. */
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { Icon, type IconName } from '../../components/Icon'
import { IN_LESSON } from '../../lessons/here'
import { textStorage } from '../../state/stored'
import { type Pane, useView } from '../../state/view'
import { Activity } from '../activity/Activity'
import { Editors } from '../editors/Editors'
import { Explorer } from '../explorer/Explorer'
import { ObjectView } from '../object/ObjectView'
import { useMedia } from './media'

/** Three columns need so much room; a lesson takes some of it. */
const ROOM_FOR_THREE = IN_LESSON ? 1440 : 1100

export function Workbench() {
  const narrow = useMedia('(max-width: 767px)')
  const medium = useMedia(`(max-width: ${ROOM_FOR_THREE - 1}px)`)
  if (narrow) return <OnePane />
  return medium ? <TwoColumns /> : <ThreeColumns />
}

/** Sizes are remembered for each way of sharing. */
function useLayout(id: string) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id: `kubetab.${id}`, storage: textStorage })
  return { id, onLayoutChanged, ...(defaultLayout ? { defaultLayout } : {}) }
}

function ThreeColumns() {
  const columns = useLayout('wide-columns')
  const rows = useLayout('wide-rows')
  const upper = useLayout('wide-upper')
  return (
    <Group orientation="horizontal" {...columns}>
      <Panel id="explorer" defaultSize="268px" minSize="190px" maxSize="45%">
        <Explorer />
      </Panel>
      <Separator className="handle column" aria-label="Width of the explorer" />
      <Panel id="work" minSize="520px">
        <Group orientation="vertical" {...rows}>
          <Panel id="upper" minSize="180px">
            <Group orientation="horizontal" {...upper}>
              <Panel id="editor" minSize="320px">
                <Editors />
              </Panel>
              <Separator className="handle column" aria-label="Width of the object" />
              <Panel id="object" defaultSize="40%" minSize="240px">
                <ObjectView />
              </Panel>
            </Group>
          </Panel>
          <Separator className="handle row" aria-label="Height of the activity" />
          <Panel id="activity" defaultSize="40%" minSize="110px">
            <Activity />
          </Panel>
        </Group>
      </Panel>
    </Group>
  )
}

function TwoColumns() {
  const columns = useLayout('medium-columns')
  const left = useLayout('medium-left')
  const right = useLayout('medium-right')
  return (
    <Group orientation="horizontal" {...columns}>
      <Panel id="left" defaultSize="40%" minSize="220px">
        <Group orientation="vertical" {...left}>
          <Panel id="explorer" defaultSize="45%" minSize="140px">
            <Explorer />
          </Panel>
          <Separator className="handle row" aria-label="Height of the explorer" />
          <Panel id="object" minSize="140px">
            <ObjectView />
          </Panel>
        </Group>
      </Panel>
      <Separator className="handle column" aria-label="Width of the left side" />
      <Panel id="right" minSize="320px">
        <Group orientation="vertical" {...right}>
          <Panel id="editor" minSize="180px">
            <Editors />
          </Panel>
          <Separator className="handle row" aria-label="Height of the activity" />
          <Panel id="activity" defaultSize="40%" minSize="110px">
            <Activity />
          </Panel>
        </Group>
      </Panel>
    </Group>
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
  const { Body } = PANES.find((entry) => entry.pane === pane) ?? (PANES[1] as (typeof PANES)[number])
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
