/** Releases: what an upgrade does to manifests, what the deprecation policy promises, and the cluster as another release serves it. */
import './releases.css'
import { useState } from 'react'
import { Segments } from '../../components/Segments'
import { DeprecationPolicy } from './DeprecationPolicy'
import { Rehearsal } from './Rehearsal'
import { TimeMachine } from './TimeMachine'

const TABS = [
  { value: 'rehearsal', title: 'Upgrade rehearsal', Body: Rehearsal },
  { value: 'machine', title: 'Time machine', Body: TimeMachine },
  { value: 'policy', title: 'Deprecation policy', Body: DeprecationPolicy },
] as const

export default function Releases() {
  const [tab, setTab] = useState<(typeof TABS)[number]['value']>('rehearsal')
  const { Body } = TABS.find(({ value }) => value === tab) ?? TABS[0]
  return (
    <section className="panel releases">
      <header className="bar">
        <h2 className="wide-only">Releases</h2>
        <Segments label="What about releases" value={tab} choices={TABS} onChoose={setTab} />
      </header>
      <Body />
    </section>
  )
}
