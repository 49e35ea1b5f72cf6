/** The look of the HTML report: light and dark, on a screen and on paper. Nothing is loaded from anywhere. */
export const style = `
:root{color-scheme:light dark;--bg:#f6f5f1;--card:#fff;--ink:#1c1d22;--soft:#63666f;--faint:#8d9099;--line:#e3e1da;--sunk:#faf9f6;
--good:#1b7f4d;--good-bg:#e5f4eb;--warn:#9a5b00;--warn-bg:#fdf1dc;--bad:#b3261e;--bad-bg:#fce9e7;--calm:#2a5da8;--calm-bg:#e8effa;
--working:#2f9e62;--checking:#1f9fb5;--deciding:#6d8fd6;--waiting-person:#f0a82b;--waiting-world:#b18ae0;--paused:#c9c7c0;--asleep:#9aa0aa;--unkept:#d9665c;--idle:#c3c6cd}
@media (prefers-color-scheme:dark){:root{--bg:#121317;--card:#1b1d22;--ink:#ecedf0;--soft:#a5a9b3;--faint:#7d818b;--line:#2d3038;--sunk:#15171b;
--good:#5fd394;--good-bg:#14301f;--warn:#f2bd62;--warn-bg:#362711;--bad:#ff8f86;--bad-bg:#3b1916;--calm:#8db8f7;--calm-bg:#172742;
--working:#3fb877;--checking:#34b6cb;--deciding:#5f7fc4;--waiting-person:#e5a42f;--waiting-world:#9d78cc;--paused:#4b4e57;--asleep:#646a75;--unkept:#c9564d;--idle:#4f545f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main,header.top,footer{max-width:1040px;margin:0 auto;padding:0 24px}
header.top{padding-top:44px}
h1{font-size:clamp(1.5rem,3.4vw,2.25rem);line-height:1.2;letter-spacing:-.018em;margin:14px 0 10px;font-weight:680;text-wrap:balance}
h2{font-size:1.12rem;letter-spacing:-.01em;margin:0 0 14px;font-weight:650}
h3{font-size:.95rem;margin:0 0 8px;font-weight:650}
p{margin:0 0 10px}
.lead{font-size:1.08rem;color:var(--soft);margin:0;max-width:75ch}
.meta{color:var(--faint);font-size:.86rem;margin:14px 0 0}
.badge{display:inline-flex;align-items:center;gap:8px;padding:5px 14px 5px 11px;border-radius:99px;font-weight:650;font-size:.9rem}
.badge::before{content:"";width:9px;height:9px;border-radius:50%;background:currentColor}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.calm{color:var(--calm)}
.badge.good{background:var(--good-bg)}.badge.warn{background:var(--warn-bg)}.badge.bad{background:var(--bad-bg)}.badge.calm{background:var(--calm-bg)}
section>:last-child,.note>:last-child{margin-bottom:0}section,.note{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:22px 24px;margin:18px 0}
.note{border-left-width:5px}.note.warn{color:inherit;border-left-color:var(--waiting-person)}.note.calm{color:inherit;border-left-color:var(--calm)}
.note h2{margin-bottom:8px}
code,pre,kbd{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{background:var(--sunk);border:1px solid var(--line);border-radius:9px;padding:12px 14px;margin:8px 0 0;overflow:auto;white-space:pre-wrap;max-height:26em}
kbd{display:inline-block;background:var(--sunk);border:1px solid var(--line);border-radius:8px;padding:7px 12px;font-weight:600;margin:2px 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:22px 0 18px;padding:0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:14px 16px}
.tiles b{display:block;font-size:1.65rem;line-height:1.2;letter-spacing:-.02em;font-weight:660;font-variant-numeric:tabular-nums}
.tiles span{display:block;font-size:.86rem;color:var(--soft)}.tiles small{display:block;color:var(--faint);font-size:.78rem}
.two{display:grid;grid-template-columns:1fr 1fr;gap:18px}.two section{margin:0}
ul.facts{list-style:none;margin:0;padding:0}
ul.facts li{display:grid;grid-template-columns:22px 1fr;gap:6px;padding:5px 0}
ul.facts i{font-style:normal;font-weight:700;text-align:center}
.how{color:var(--faint);font-size:.8rem;white-space:nowrap}
blockquote{margin:12px 0 0;padding:10px 14px;border-left:3px solid var(--line);color:var(--soft);white-space:pre-wrap}
.chart{margin:0 0 26px}.chart:last-child{margin-bottom:0}
svg{display:block;width:100%;height:auto;overflow:visible}
.axis{font-size:12px;fill:var(--faint);font-variant-numeric:tabular-nums}
.grid{stroke:var(--line);stroke-width:1}.tick{stroke:var(--faint);stroke-width:1}
.bar.good{fill:var(--working)}.bar.idle{fill:var(--idle)}.bar.bad{fill:var(--unkept)}
.area{fill:var(--calm);opacity:.13}.line{fill:none;stroke:var(--calm);stroke-width:2.5;stroke-linejoin:round}.dot{fill:var(--card);stroke:var(--calm);stroke-width:2.5}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:.84rem;color:var(--soft);margin:8px 0}
.legend b{color:var(--ink);font-weight:620}.legend i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:6px;vertical-align:-1px}
.k-good{background:var(--working)}.k-idle{background:var(--idle)}.k-bad{background:var(--unkept)}
@@bands@@
.cert{position:relative;border:2px solid var(--good);box-shadow:inset 0 0 0 6px var(--card),inset 0 0 0 7px var(--good);padding:34px 38px;background:linear-gradient(160deg,var(--good-bg),var(--card) 55%)}
.cert h2{font-size:1.35rem;color:var(--good);margin-bottom:4px}.cert svg{position:absolute;right:34px;top:28px;width:74px;height:74px}
.cert h2+p{padding-right:100px;max-width:75ch}
.seal-disc{fill:var(--good)}.seal-mark{fill:none;stroke:var(--card);stroke-width:7;stroke-linecap:round;stroke-linejoin:round}
dl{display:grid;grid-template-columns:minmax(110px,auto) 1fr;gap:7px 18px;margin:18px 0 0}dt{color:var(--soft);font-size:.9rem}dd{margin:0}
.scroll{overflow-x:auto;margin:0 -6px 10px;padding:0 6px}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{text-align:left;color:var(--faint);font-weight:600;font-size:.78rem;text-transform:uppercase;letter-spacing:.04em;padding:0 12px 7px 0;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}td.t{white-space:nowrap;color:var(--soft);font-variant-numeric:tabular-nums}
td.w{min-width:200px}td code{white-space:nowrap}td.w code{white-space:normal}
.gap td{text-align:center;color:var(--faint);font-style:italic}
.pill{display:inline-block;padding:1px 9px;border-radius:99px;font-size:.8rem;font-weight:600;background:var(--sunk);border:1px solid var(--line);white-space:nowrap}
.pill.good{background:var(--good-bg);border-color:transparent}.pill.warn{background:var(--warn-bg);border-color:transparent}.pill.bad{background:var(--bad-bg);border-color:transparent}.pill.calm{background:var(--calm-bg);border-color:transparent}
.chips{display:flex;flex-wrap:wrap;gap:6px;margin:0 0 14px;padding:0;list-style:none}.chips li{font-size:.82rem;padding:2px 10px;border-radius:99px;border:1px solid var(--line);background:var(--sunk)}
details{margin:6px 0 0}summary{cursor:pointer;color:var(--calm);font-size:.88rem}summary:hover{text-decoration:underline}
details.all>summary{font-size:.95rem;font-weight:600;padding:4px 0}
.soft{color:var(--soft)}p.faint{font-size:.86rem;margin-top:14px}.faint{color:var(--faint)}.plus{color:var(--good)}.minus{color:var(--bad)}
footer{color:var(--faint);font-size:.82rem;padding-top:8px;padding-bottom:48px}
:focus-visible{outline:3px solid var(--calm);outline-offset:2px;border-radius:4px}
@media screen and (max-width:760px){.two{grid-template-columns:1fr}main,header.top,footer{padding-left:14px;padding-right:14px}section,.note{padding:18px 16px}section.cert{padding:26px 24px}.cert svg{position:static;margin-bottom:10px;width:56px;height:56px}.cert h2+p{padding-right:0}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}}
@media print{:root{--bg:#fff;--card:#fff;--sunk:#fafafa}body{font-size:11pt}main,header.top,footer{max-width:none;padding:0}.cert,.note,.tiles li,tr,figure,.two section{break-inside:avoid}h2{break-after:avoid}.tiles{grid-template-columns:repeat(6,1fr)}.said{display:none}pre{max-height:none}details:not([open])::details-content{content-visibility:visible;display:block}.scroll{overflow:visible}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`
  .replace(
    '@@bands@@',
    ['working', 'checking', 'deciding', 'waiting-person', 'waiting-world', 'paused', 'asleep', 'unkept']
      .map((kind) => `.b-${kind}{fill:var(--${kind});background:var(--${kind})}`)
      .join(''),
  )
  .trim();
