import type { Handler } from '../../../../hosts/shared/handlers'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { useHandlerCalls } from '../handler-calls'
import { useHandlers } from '../handlers'
import { HANDLER_SAMPLES } from '../samples'
import { callCount, LIST } from '../texts'

export function HandlerList({ handlers }: { handlers: readonly Handler[] }) {
  const open = useHandlers((state) => state.open)
  const draft = useHandlers((state) => state.draft)
  const show = useHandlers((state) => state.show)
  const begin = useHandlers((state) => state.begin)
  const isNew = draft !== undefined && handlers.every(({ name }) => name !== open)
  return (
    <nav className="panel handlers-list" aria-label={LIST.region}>
      <div className="bar sub">
        <strong>{LIST.title}</strong>
        <span className="grow" />
        <Menu
          label={LIST.newLabel}
          className="button small"
          side="right"
          face={
            <>
              <Icon name="add" size={14} /> {LIST.new}
            </>
          }
          items={HANDLER_SAMPLES.map((sample) => ({
            title: sample.name,
            hint: sample.about,
            run: () => begin(sample),
          }))}
        />
      </div>
      <div className="scroll">
        {isNew && (
          <div className="handlers-entry" aria-current="true">
            <strong>{draft.name}</strong>
            <span className="soft">{LIST.unsaved}</span>
          </div>
        )}
        {handlers.map((handler) => (
          <button
            key={handler.name}
            type="button"
            className="handlers-entry"
            aria-current={handler.name === open ? 'true' : undefined}
            onClick={() => show(handler)}
          >
            <strong>{handler.name}</strong>
            <span className="soft mono cut">{handler.address.replace('https://', '')}</span>
            {handler.from === undefined ? (
              <Count name={handler.name} />
            ) : (
              <span className="chip warn">{LIST.switchedOff}</span>
            )}
          </button>
        ))}
        {handlers.length === 0 && !isNew && <p className="soft handlers-none">{LIST.none}</p>}
      </div>
    </nav>
  )
}

function Count({ name }: { name: string }) {
  const count = useHandlerCalls(
    ({ calls }) => calls.filter(({ handler }) => handler === name).length,
  )
  return count === 0 ? null : <span className="chip mute">{callCount(count)}</span>
}
