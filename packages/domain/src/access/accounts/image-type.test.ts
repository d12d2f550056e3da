import { expect, test } from 'vitest';
import { imageType } from './image-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each<[type: string | null, name: string, content: string]>([
  ['image/png', 'PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/jpeg', 'JPEG', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['image/gif', 'GIF', 'GIF89a\x01\0'],
  ['image/webp', 'WebP', 'RIFF\x0a\n\0\0WEBPVP8 '],
  ['image/avif', 'AVIF', '\0\0\0\x20ftypavif'],
  ['image/avif', 'an animated AVIF', '\0\0\0\x20ftypavis'],
  ['image/avif', 'AVIF by a compatible brand', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf'],
  ['image/avif', 'AVIF by its last compatible brand', '\0\0\0\x1cftypmif1\0\0\0\0mif1miafavis'],
  [null, 'HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  [null, 'a version that reads like the brand', '\0\0\0\x18ftypheic' + 'avifmif1heic'],
  [null, 'a brand after the box', '\0\0\0\x14ftypheic\0\0\0\0mif1avif'],
  [null, 'a brand that is not on its place', '\0\0\0\x1cftypmif1\0\0\0\0mi\0avif\0\0\0'],
  [null, 'a box without brands', '\0\0\0\x08ftyp'],
  ['image/svg+xml', 'SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [
    'image/svg+xml',
    'SVG after all that may precede it',
    '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- by -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">\n<!-- - -->\n<svg>',
  ],
  [null, 'HTML', '<!DOCTYPE html><script>alert(1)</script>'],
  [null, 'HTML that contains SVG', '<html><svg></svg></html>'],
  [null, 'HTML after a comment', '<!-- <svg> --><script>alert(1)</script><svg>'],
  [null, 'SVG with entities', '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>'],
  [null, 'an element whose name begins with svg', '<svgx>'],
  [null, 'SVG after 4 kB of comments', `${'<!-- x -->'.repeat(500)}<svg>`],
  [null, 'text', 'PNG'],
  [null, 'nothing', ''],
])('recognizes %s: %s', (type, _name, content) => {
  expect(imageType(bytes(content))).toBe(type);
});
