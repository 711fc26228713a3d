import { Suspense } from 'react'
import { Icon } from '../components/Icon'
import { Menu } from '../components/Menu'
import { useView } from '../state/view'
import { PLACES, type Place } from './places'
import * as texts from './texts'

function usePlace(): Place {
  const id = useView((state) => state.place)
  return PLACES.find((place) => place.id === id) ?? (PLACES[0] as Place)
}

const goTo = (place: string) => useView.getState().set({ place })

/** At the left edge, if wide enough. */
export function Rail() {
  const shown = usePlace()
  if (PLACES.length < 2) return null
  return (
    <nav className="rail wide-only" aria-label={texts.views}>
      {PLACES.map(({ id, title, about, icon }) => (
        <button
          key={id}
          type="button"
          title={about}
          aria-current={id === shown.id ? 'page' : undefined}
          onClick={() => goTo(id)}
        >
          <Icon name={icon} size={18} />
          {title}
        </button>
      ))}
    </nav>
  )
}

export function PlaceMenu() {
  const shown = usePlace()
  if (PLACES.length < 2) return null
  return (
    <Menu
      label={texts.views}
      className="button quiet phone-only"
      face={
        <>
          {shown.title} <Icon name="down" size={14} />
        </>
      }
      items={PLACES.map(({ id, title, icon }) => ({
        title,
        icon,
        checked: id === shown.id,
        run: () => goTo(id),
      }))}
    />
  )
}

export function ShownPlace() {
  const { id, title, Body } = usePlace()
  return (
    <main className="work" aria-label={title}>
      <Suspense key={id} fallback={<p className="arriving">{texts.loading(title)}</p>}>
        <Body />
      </Suspense>
    </main>
  )
}
