/** Releases: what a change does to the cluster and to manifests, and the deprecation policy. */
import './releases.css'
import { Segments } from '../../../components/Segments'
import { useReleases } from '../state'
import { ChangeRelease } from './ChangeRelease'
import { Compare } from './Compare'
import { DeprecationPolicy } from './DeprecationPolicy'
import { Rehearsal } from './Rehearsal'

const TABS = [
  { value: 'change', title: 'Change release', Body: ChangeRelease },
  { value: 'compare', title: 'Compare', Body: Compare },
  { value: 'manifests', title: 'Check manifests', Body: Rehearsal },
  { value: 'policy', title: 'Deprecation policy', Body: DeprecationPolicy },
] as const

export default function Releases() {
  const { tab, set } = useReleases()
  const { Body } = TABS.find(({ value }) => value === tab) ?? TABS[0]
  return (
    <section className="panel releases">
      <header className="bar">
        <h2 className="releases-title">Releases</h2>
        <Segments
          label="What about releases"
          value={tab}
          choices={TABS}
          onChoose={(value) => set({ tab: value })}
        />
      </header>
      <Body />
    </section>
  )
}
