/// How the report looks: light or dark as the reader's system is, and black on white on paper.
enum ReportStyle {
  /// What a mark stands for, in the picture and in the list.
  static func word(_ kind: TimelineEntry.Kind) -> String {
    switch kind {
    case .action: "action"
    case .notice: "notice"
    case .platform: "system"
    case .decision: "decision"
    case .rateChange: "rate"
    case .fault: "fault"
    }
  }

  private static func meaning(_ kind: TimelineEntry.Kind) -> String {
    switch kind {
    case .action: "action of the scenario"
    case .notice: "notice to the app"
    case .platform: "the system by itself"
    case .decision: "decision of the app"
    case .rateChange: "change of the rate"
    case .fault: "crash, or refusal of the compiler"
    }
  }

  /// Every mark with its meaning.
  static var legend: String {
    let marks = TimelineEntry.Kind.allCases.map { kind in
      """
      <span class="key"><svg xmlns="http://www.w3.org/2000/svg" class="timeline" width="14" height="14" \
      viewBox="-7 -7 14 14" aria-hidden="true"><path class="mark \(kind.rawValue)" \
      d="\(TimelinePicture.shape(kind, 0, 0))"/></svg> \(meaning(kind))</span>
      """
    }
    return """
      <p class="legend">\(marks.joined(separator: " "))<br>Numbers in a picture are those of the list below it; times that \
      are close together are drawn apart.</p>
      """
  }

  /// The style sheet.
  static let sheet = """
    :root {
      --paper: #ffffff; --ink: #1c1c1e; --faint: #5b5f66; --line: #d5d8dd; --raised: #f5f6f8;
      --good: #1a6e35; --bad: #b3181f; --bad-paper: #fdecec; --link: #0a58b5;
      --strong: #2f6fb2; --on-strong: #ffffff; --weak: #dfe9f4; --hatch: #9db8d4; --on-weak: #17324d;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #16181c; --ink: #e8eaee; --faint: #a3a9b3; --line: #3a3f47; --raised: #20242a;
        --good: #6fd38b; --bad: #ff8d8d; --bad-paper: #3b1d20; --link: #8ab8ff;
        --strong: #4d8fd6; --on-strong: #0b1520; --weak: #26384b; --hatch: #4a6987; --on-weak: #dbe8f6;
      }
    }
    body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.45 system-ui, sans-serif; }
    h1 { margin: 0 0 .5rem; } h2 { margin: 1.5rem 0 .5rem; font-size: 1.2rem; }
    a { color: var(--link); }
    code { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
    .summary { font-size: 1.15rem; font-weight: 600; }
    .good { color: var(--good); } .bad { color: var(--bad); }
    .legend { color: var(--faint); font-size: .9rem; }
    .key { display: inline-block; margin-right: .9rem; white-space: nowrap; }
    .key svg { vertical-align: -2px; }
    details { margin: .4rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); }
    details > :not(summary) { margin-left: 1rem; margin-right: 1rem; }
    summary { padding: .45rem .8rem; cursor: pointer; }
    summary .mark { display: inline-block; min-width: 5.2rem; font-weight: 600; }
    .passed > summary .mark { color: var(--good); } .failed > summary .mark { color: var(--bad); }
    .failed { border-left: 4px solid var(--bad); }
    .name { font-weight: 600; } .outcome, summary code { color: var(--faint); margin-left: .5rem; }
    .failures { color: var(--bad); font-weight: 600; }
    #show-failed:checked ~ main .passed { display: none; }
    label { margin-right: 1rem; }
    .scroll { overflow-x: auto; }
    pre { font: .85em/1.4 ui-monospace, monospace; }
    table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0; }
    caption { text-align: left; font-weight: 600; padding: .2rem .5rem; }
    th, td { text-align: left; vertical-align: top; padding: .2rem .5rem; border-bottom: 1px solid var(--line); }
    .events td:nth-child(1), .events td:nth-child(2) { text-align: right; font-variant-numeric: tabular-nums; }
    .events td:last-child { overflow-wrap: anywhere; }
    .events .failure td { background: var(--bad-paper); color: var(--bad); font-weight: 600; }
    .matrix th, .matrix td { border: 1px solid var(--line); }
    .matrix { font-size: .82rem; }
    .matrix tbody th { font-weight: 600; min-width: 8rem; }
    .matrix .different { background: var(--bad-paper); color: var(--bad); font-weight: 600; }
    .timeline { font: 12px ui-monospace, monospace; }
    .timeline text { fill: var(--ink); text-anchor: middle; }
    .timeline .time { fill: var(--faint); font-size: 11px; }
    .timeline .lane { text-anchor: end; font-weight: 600; }
    .timeline .number { text-anchor: start; font-size: 11px; }
    .timeline .grid { stroke: var(--line); }
    .timeline .strong { fill: var(--strong); stroke: var(--paper); }
    .timeline .weak { fill: var(--weak); stroke: var(--hatch); stroke-dasharray: 3 3; }
    .timeline .none { fill: var(--faint); }
    .timeline .gap { fill: var(--raised); }
    .timeline .on-strong { fill: var(--on-strong); }
    .timeline .on-weak { fill: var(--on-weak); }
    .timeline .on-none { fill: var(--faint); }
    .timeline .mark { fill: var(--ink); }
    .timeline .notice, .timeline .decision { fill: var(--raised); stroke: var(--ink); stroke-width: 1.5; }
    .timeline .rateChange { fill: var(--strong); }
    .timeline .platform, .timeline .fault { fill: var(--bad); }
    .timeline .failure line { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 5 3; }
    .timeline .failure text { fill: var(--bad); font-size: 15px; font-weight: 700; }
    @media print {
      :root {
        --paper: #ffffff; --ink: #000000; --faint: #444444; --line: #999999; --raised: #ffffff;
        --good: #000000; --bad: #a00000; --bad-paper: #ffffff; --link: #000000;
        --strong: #3c3c3c; --on-strong: #ffffff; --weak: #eeeeee; --hatch: #777777; --on-weak: #000000;
      }
      body { padding: 0; max-width: none; font-size: 10pt; }
      input, label { display: none; }
      .scroll { overflow: visible; } pre { white-space: pre-wrap; }
      .timeline { max-width: 100%; height: auto; }
      .legend .timeline { width: 14px; }
      summary, tr, svg { break-inside: avoid; } h2 { break-after: avoid; }
      .matrix { font-size: 7pt; }
      rect, path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """
}
