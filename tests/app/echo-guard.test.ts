import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EchoGuard } from '../../src/app/editor/echo-guard'

describe('what was typed in an editor', () => {
  it('is told once', () => {
    const told = new EchoGuard()
    expect([told.isNew('a', ''), told.isNew('a', ''), told.isNew('ab', 'a')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('is told when it is as it was before what is not given back yet', () => {
    const told = new EchoGuard()
    expect([told.isNew('ab', 'a'), told.isNew('a', 'a')]).toEqual([true, true])
  })

  it('stays when it comes back late, or was passed over', () => {
    const told = new EchoGuard()
    for (const typed of ['a', 'ab', 'abc']) told.isNew(typed, '')
    expect([told.isEcho('ab', 'abc'), told.isEcho('abc', 'abc')]).toEqual([true, true])
  })

  it('gives way to a text from elsewhere, even to one that was typed before', () => {
    const told = new EchoGuard()
    told.isNew('a', '')
    expect(told.isEcho('x', 'a')).toBe(false)
    for (const typed of ['xy', 'x', 'xy']) told.isNew(typed, 'x')
    expect([told.isEcho('xy', 'xy'), told.isEcho('x', 'xy')]).toEqual([true, false])
  })

  it('is what stays, however late and seldom the page is drawn', () => {
    const step = fc.constantFrom('a', 'b', 'back', 'draw', 'settle')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const told = new EchoGuard()
        let [typed, shown, state, given] = ['', '', '', '']
        /** What was drawn and the editor does not know of yet. */
        let drawn: string | undefined
        const settle = () => {
          if (drawn !== undefined && !told.isEcho(drawn, shown)) shown = drawn
          drawn = undefined
        }
        const draw = () => {
          settle()
          if (state !== given) drawn = given = state
        }
        for (const action of steps) {
          if (action === 'draw') draw()
          else if (action === 'settle') settle()
          else {
            shown = typed = action === 'back' ? typed.slice(0, -1) : typed + action
            if (told.isNew(shown, given)) state = shown
          }
          expect(shown).toBe(typed)
        }
        draw()
        settle()
        expect([shown, state]).toEqual([typed, typed])
      }),
    )
  })
})
