import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { type Arguments, type Family, many } from './family.ts';

/** Images, films and documents: read one file, write another. */
export const media: Family = {
  ...many('ffmpeg', {
    is: 'build',
    oneDash: true,
    takes: 'write',
    options: {
      '-i': 'read',
      '-c -codec -c:v -c:a -vf -af -filter_complex -ss -to -t -r -b:v -b:a -crf -preset -f -map -s -vcodec -acodec -q:a -q:v -frames:v -vframes -ar -ac -loglevel -v -pix_fmt -movflags -threads -aspect -loop -framerate -metadata -filter:v -filter:a -start_number -lavfi -qscale:v -b -g -profile:v -level -maxrate -bufsize -itsoffset -stream_loop -update -vsync -strict':
        'text',
    },
  }),
  ...many('convert magick mogrify composite montage', {
    takes: 'text',
    last: 'write',
    also: (args: Arguments, call: Call, world: World) => {
      for (const word of args.operands)
        if (/^(@|text:@|caption:@|label:@|mvg:|msl:|ephemeral:|url:|https?:|\|)/.test(word))
          report(world, 'read-odd', shown(word));
      if (call.program === 'mogrify') for (const path of args.operands) writes(world, call, path);
      for (const path of args.operands.slice(0, -1))
        if (/[./]/.test(path)) reads(world, call, path.replace(/^\w+:/, ''));
    },
  }),
  exiftool: {
    own: true,
    also: (_args, call, world) => {
      const edits = call.args.some((arg) =>
        /^-[\w:]*[+-]?<?=|^-(tagsfromfile|o|csv|json|@|config|if|p|w|stay_open|execute)/i.test(arg),
      );
      if (edits) report(world, 'unknown', shown(call.args.join(' ')));
      for (const arg of call.args) if (!arg.startsWith('-')) reads(world, call, arg);
    },
  },
  ...many('pandoc', {
    takes: 'read',
    options: {
      '-o --output --extract-media --log': 'write',
      '-f --from -t --to -V --variable -M --metadata --toc-depth --pdf-engine --highlight-style -c --css --template --bibliography --csl -H -B -A --resource-path --wrap --columns --reference-doc':
        'text',
      '-F --filter -L --lua-filter': 'load',
    },
  }),
  ...many('pdflatex xelatex lualatex latex tex pdftex luatex latexmk xetex', {
    takes: 'read',
    is: 'build',
    flags: { '-shell-escape --shell-escape -enable-write18 --enable-write18': 'is:run-any' },
    oneDash: true,
    options: {
      '-output-directory -output-dir -jobname -interaction -outdir': 'text',
      '-e -latex -pdflatex -xelatex -lualatex -r': 'is:run-any',
    },
    also: (args: Arguments, _call: Call, world: World) => {
      if (args.operands.some((word) => word.startsWith('\\')))
        report(world, 'run-code', 'TeX code given inline');
    },
  }),
  ...many(
    'pdftotext pdftoppm pdfunite pdfseparate qpdf pdftk ps2pdf pdf2ps img2pdf ocrmypdf tesseract cwebp dwebp gifsicle rsvg-convert',
    { takes: 'read', last: 'write' },
  ),
};
