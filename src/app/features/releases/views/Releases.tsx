import './releases.css'
import { Segments } from '../../../components/Segments'
import { useReleases } from '../state'
import { RELEASES } from '../texts'
import { ChangeRelease } from './ChangeRelease'
import { Compare } from './Compare'
import { DeprecationPolicy } from './DeprecationPolicy'
import { Rehearsal } from './Rehearsal'

const TABS = [
  { value: 'change', title: RELEASES.changeRelease, Body: ChangeRelease },
  { value: 'compare', title: RELEASES.compare, Body: Compare },
  { value: 'manifests', title: RELEASES.checkManifests, Body: Rehearsal },
  { value: 'policy', title: RELEASES.deprecationPolicy, Body: DeprecationPolicy },
] as const

export default function Releases() {
  const tab = useReleases((state) => state.tab)
  const set = useReleases((state) => state.set)
  const { Body } = TABS.find(({ value }) => value === tab) ?? TABS[0]
  return (
    <section className="panel releases">
      <header className="bar">
        <h2 className="releases-title">{RELEASES.title}</h2>
        <Segments
          label={RELEASES.tabs}
          value={tab}
          choices={TABS}
          onChoose={(value) => set({ tab: value })}
        />
      </header>
      <Body />
    </section>
  )
}
