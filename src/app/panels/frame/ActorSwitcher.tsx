/** Who sends the requests, and under which name fields are owned. */
import { Icon } from '../../components/Icon'
import { Popover } from '../../components/Popover'
import { ACTORS, type Actor, useActors } from '../../state/actors'

export function ActorSwitcher() {
  const actor = useActors((state) => state.actor)
  return (
    <Popover
      label={`Acting as ${actor.name}`}
      kind="dialog"
      className="button actor"
      face={
        <>
          <Face actor={actor} />
          <span className="cut">{actor.name}</span>
          <Icon name="down" size={12} />
        </>
      }
    >
      {(close) => <Choices close={close} />}
    </Popover>
  )
}

function Choices({ close }: { close: () => void }) {
  const { actor, actAs, fieldManager, setFieldManager } = useActors()
  return (
    <div className="actors">
      <p className="menu-heading">Requests are sent as</p>
      <div role="radiogroup" aria-label="Requests are sent as">
        {ACTORS.map((candidate) => (
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
            <span>{candidate.name}</span>
            <span className="menu-hint">{candidate.groups.join(', ') || 'no groups'}</span>
            {candidate.name === actor.name && <Icon name="check" size={14} />}
          </button>
        ))}
      </div>
      <label className="actors-manager">
        <span>Field manager</span>
        <input
          className="field mono"
          placeholder="as kubectl names it"
          value={fieldManager}
          spellCheck={false}
          autoCapitalize="off"
          maxLength={128}
          onChange={(event) => setFieldManager(event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && close()}
        />
      </label>
      <p className="soft small">The name under which your writes own fields in managedFields.</p>
    </div>
  )
}

function Face({ actor }: { actor: Actor }) {
  return (
    <span className={actor.token ? 'face' : 'face nobody'} aria-hidden="true">
      {actor.token ? actor.name[0] : <Icon name="user" size={12} />}
    </span>
  )
}
