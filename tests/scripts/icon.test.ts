import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { iconPng } from '../../scripts/icon'

const pixels = (png: Buffer, size: number) => {
  const at = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  return (x: number, y: number) => [...rows.subarray(y * (1 + size * 4) + 1 + x * 4, y * (1 + size * 4) + 5 + x * 4)]
}

it('the icon is a PNG of its size: a white K on blue, with round corners', () => {
  const png = iconPng(96)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([96, 96])
  const pixel = pixels(png, 96)
  expect(pixel(0, 0)[3]).toBe(0)
  expect(pixel(32, 48)).toEqual([255, 255, 255, 255])
  expect(pixel(48, 12)).toEqual([0x35, 0x58, 0xd6, 255])
})

it('the maskable one fills its square', () => {
  expect(pixels(iconPng(96, true), 96)(0, 0)).toEqual([0x35, 0x58, 0xd6, 255])
})
