import './causes.css'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { HealthMark } from '../../components/HealthMark'
import { Icon } from '../../components/Icon'
import { useDiscovery } from '../../state/discovery'
import { pluralOf } from '../../state/plural'
import { type Link, linksOf } from './chain'
import { followLastWrite, useCauses } from './follow'
import { Rejected } from './Rejected'
import { Steps, showStep } from './Steps'
import { TEXTS } from './texts'

export default function Strip() {
  useEffect(followLastWrite, [])
  const write = useCauses((state) => state.write)
  const found = useCauses((state) => state.found)
  const following = useCauses((state) => state.following)
  const resources = useDiscovery((state) => state.resources)
  const [open, setOpen] = useState(false)
  const links = useMemo(
    () =>
      linksOf(found?.steps ?? [], (kind) => {
        const resource = resources.find((one) => one.kind === kind)
        return resource === undefined ? kind : pluralOf(resource)
      }),
    [found, resources],
  )
  if (write === undefined) return null
  if (write.roots === undefined)
    return write.request === undefined ? null : <Rejected {...write} request={write.request} />
  if (found !== undefined && !found.complete)
    return <p className="causes-strip soft">{TEXTS.incomplete}</p>
  const reacted = (found?.steps ?? []).some(({ by }) => by !== undefined)
  return (
    <section className="causes-strip" aria-label={TEXTS.strip}>
      <div className="causes-line">
        {write.client !== '' && (
          <span className="causes-client chip mute" title={TEXTS.outside}>
            {write.client.split('/')[0]}
          </span>
        )}
        <ol className="causes-links">
          {links.map((link, index) => (
            <Fragment key={link.kind}>
              {index > 0 && (
                <li className="causes-arrow" aria-hidden="true">
                  <Icon name="chevron" size={12} />
                </li>
              )}
              <li>
                <Chip link={link} />
              </li>
            </Fragment>
          ))}
        </ol>
        <span className="causes-note soft" role="status">
          {following
            ? reacted
              ? ''
              : TEXTS.waiting
            : found !== undefined && (reacted ? TEXTS.settled : TEXTS.nothing)}
        </span>
        {following && <span className="causes-live" aria-hidden="true" />}
        <button
          type="button"
          className="button quiet icon-only small causes-open"
          aria-expanded={open}
          aria-label={open ? TEXTS.hideAll : TEXTS.showAll}
          title={open ? TEXTS.hideAll : TEXTS.showAll}
          onClick={() => setOpen(!open)}
        >
          <Icon name="down" size={14} />
        </button>
      </div>
      {open && found !== undefined && <Steps {...found} />}
    </section>
  )
}

function Chip({ link: { kind, latest, title, health } }: { link: Link }) {
  const [first] = latest
  return (
    <button
      type="button"
      className="causes-chip"
      onClick={() => first !== undefined && showStep(first)}
      title={latest
        .slice(0, 20)
        .map(({ name }) => `${kind} ${name}`)
        .join('\n')}
    >
      <span className="causes-title">{title}</span> <HealthMark health={health} />
    </button>
  )
}
