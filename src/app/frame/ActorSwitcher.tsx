import { Icon } from '../components/Icon'
import { Popover } from '../components/Popover'
import { type Actor, useActors } from '../state/actors'
import * as texts from './texts'

export function ActorSwitcher() {
  const actor = useActors((state) => state.actor)
  return (
    <Popover
      label={texts.actingAs(actor.name)}
      kind="dialog"
      className="button actor"
      face={
        <>
          <Face actor={actor} />
          <span className="cut">{shortName(actor.name)}</span>
          <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => <Choices close={close} />}
    </Popover>
  )
}

function Choices({ close }: { close: () => void }) {
  const actors = useActors((state) => state.actors)
  const actor = useActors((state) => state.actor)
  const fieldManager = useActors((state) => state.fieldManager)
  const { actAs, setFieldManager } = useActors.getState()
  return (
    <div className="actors">
      <p className="menu-heading">{texts.actors}</p>
      <div role="radiogroup" aria-label={texts.actors}>
        {actors.map((candidate) => (
          // biome-ignore lint/a11y/useSemanticElements: a radio cannot hold two lines and a picture
          <button
            key={candidate.name}
            type="button"
            role="radio"
            aria-checked={candidate.name === actor.name}
            className="menu-item"
            data-autofocus={candidate.name === actor.name ? '' : undefined}
            onClick={() => {
              actAs(candidate.name)
              close()
            }}
          >
            <Face actor={candidate} />
            <span className="cut">{candidate.name}</span>
            <span className="menu-hint cut">
              {candidate.from ?? (candidate.groups.join(', ') || texts.noGroups)}
            </span>
            {candidate.name === actor.name && <Icon name="check" size={14} />}
          </button>
        ))}
      </div>
      <label className="actors-manager">
        <span>{texts.fieldManager}</span>
        <input
          className="field mono"
          placeholder={texts.fieldManagerPlaceholder}
          value={fieldManager}
          spellCheck={false}
          autoCapitalize="off"
          maxLength={128}
          onChange={(event) => setFieldManager(event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && close()}
        />
      </label>
      <p className="soft small">{texts.fieldManagerAbout}</p>
    </div>
  )
}

function Face({ actor }: { actor: Actor }) {
  return (
    <span className={hasCredential(actor) ? 'face' : 'face anonymous'} aria-hidden="true">
      {hasCredential(actor) ? faceOf(actor.name) : <Icon name="user" size={12} />}
    </span>
  )
}

const hasCredential = ({ token, certificate, impersonated }: Actor): boolean =>
  token !== undefined || certificate !== undefined || impersonated === true

/** `system:serviceaccount:default:builder` -> `default:builder` */
const shortName = (name: string): string => name.replace(/^system:serviceaccount:/, '')

/** `system:serviceaccount:a:b` -> `b` */
const faceOf = (name: string): string => name.split(':').at(-1)?.[0] ?? ''
