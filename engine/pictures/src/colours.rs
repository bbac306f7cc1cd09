//! The colours of both themes, those of the client's boards.

use crate::scene::Theme;

/// Colours of a theme. Colours with eight digits have their opacity in the last two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    /// The paper behind the board, at its top and at its bottom.
    pub(crate) paper: [&'static str; 2],
    pub(crate) seeds: &'static str,
    /// The tablet, at its top and at its bottom.
    pub(crate) slab: [&'static str; 2],
    pub(crate) slab_side: &'static str,
    pub(crate) slab_shadow: &'static str,
    pub(crate) slab_rim: &'static str,
    pub(crate) inlay: &'static str,
    pub(crate) inlay_line: &'static str,
    pub(crate) ground: &'static str,
    pub(crate) tones: [&'static str; 3],
    pub(crate) label: &'static str,
    pub(crate) notch: &'static str,
    pub(crate) last: &'static str,
    pub(crate) last_fill: &'static str,
    pub(crate) last_faint: &'static str,
    pub(crate) halo: &'static str,
    pub(crate) threat: &'static str,
    pub(crate) threat_halo: &'static str,
    pub(crate) gold: &'static str,
    /// Shadow of a piece, under the piece and at the shadow's edge.
    pub(crate) shadow: [&'static str; 2],
    /// One of the layers of a shadow that is no circle.
    pub(crate) shadow_layer: &'static str,
    pub(crate) black: Army,
    pub(crate) white: Army,
    pub(crate) red: Army,
    pub(crate) blue: Army,
}

/// Colours of the pieces of a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Army {
    /// The body from the upper left to the lower right.
    pub(crate) body: [&'static str; 3],
    pub(crate) edge: &'static str,
    /// Lines and signs on the body.
    pub(crate) cut: &'static str,
    pub(crate) shine: &'static str,
    pub(crate) shade: &'static str,
    /// Facets: left, right and at the base.
    pub(crate) facets: [&'static str; 3],
    pub(crate) petal_red: &'static str,
    pub(crate) petal_red_edge: &'static str,
    /// The visible side of a coin.
    pub(crate) coin: &'static str,
}

impl Colours {
    pub(crate) const fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

const LIGHT: Colours = Colours {
    paper: ["#f1ebdf", "#e6ddcb"],
    seeds: "#c4a97a",
    slab: ["#c79a64", "#b3834d"],
    slab_side: "#74502b",
    slab_shadow: "#3a24100f",
    slab_rim: "#ebcfa2bf",
    inlay: "#5a3c20d9",
    inlay_line: "#ebd2a2e6",
    ground: "#8e673a",
    tones: ["#e6ca9b", "#dfc08d", "#d7b580"],
    label: "#2c1a07",
    notch: "#6b4a22",
    last: "#8a4708",
    last_fill: "#ffe7a8b8",
    last_faint: "#ffe7a857",
    halo: "#fff6e2c7",
    threat: "#b02a17",
    threat_halo: "#fff1dc",
    gold: "#b8893b",
    shadow: ["#3a241070", "#3a241000"],
    shadow_layer: "#3a241024",
    black: Army {
        body: ["#54504f", "#383536", "#201e20"],
        edge: "#141214",
        cut: "#eadfc9",
        shine: "#8a84806b",
        shade: "#0000004d",
        facets: ["#0000006b", "#ffffff12", "#ffffff42"],
        petal_red: "#ff7a5c",
        petal_red_edge: "#ffd9cc",
        coin: "#141214",
    },
    white: Army {
        body: ["#fffdf6", "#f4ecda", "#dccdaf"],
        edge: "#6a5433",
        cut: "#3b2e1c",
        shine: "#ffffffd9",
        shade: "#0000001a",
        facets: ["#ffffffd9", "#c9b48c4d", "#8f74436b"],
        petal_red: "#b02a17",
        petal_red_edge: "#6e150a",
        coin: "#c9b68f",
    },
    red: Army { body: ["#c9493a", "#a82a1f", "#80170f"], edge: "#3a0904", cut: "#ffe9d6", ..NO_ARMY },
    blue: Army { body: ["#eef5ff", "#cfe0f8", "#a5bfe4"], edge: "#173061", cut: "#173061", ..NO_ARMY },
};

const DARK: Colours = Colours {
    paper: ["#1b1a1d", "#141315"],
    seeds: "#8a7350",
    slab: ["#5e4431", "#432f21"],
    slab_side: "#1c120b",
    slab_shadow: "#00000018",
    slab_rim: "#94714fbf",
    inlay: "#c49b5cd9",
    inlay_line: "#2a1c12e6",
    ground: "#332214",
    tones: ["#9c7854", "#94714e", "#8c6947"],
    label: "#e2c894",
    notch: "#f3dfb4",
    last: "#ffdc85",
    last_fill: "#ffd26666",
    last_faint: "#ffd26629",
    halo: "#1b120b73",
    threat: "#ff8c70",
    threat_halo: "#2b0a04",
    gold: "#d9ae63",
    shadow: ["#0000009e", "#00000000"],
    shadow_layer: "#00000033",
    black: Army { body: ["#474448", "#262427", "#0f0e10"], edge: "#050505", coin: "#050505", ..LIGHT.black },
    white: Army {
        body: ["#fffbf0", "#efe4cc", "#cdbb97"],
        edge: "#4b3a24",
        cut: "#3b2e1f",
        coin: "#bfa980",
        ..LIGHT.white
    },
    red: Army { body: ["#d0503f", "#b23227", "#851a12"], edge: "#1d0301", ..LIGHT.red },
    blue: Army { body: ["#f2f7ff", "#d6e5fa", "#aac4e8"], edge: "#0a1830", cut: "#122850", ..LIGHT.blue },
};

/// Parts that only the pieces of other games have.
const NO_ARMY: Army = Army {
    body: ["none"; 3],
    edge: "none",
    cut: "none",
    shine: "none",
    shade: "none",
    facets: ["none"; 3],
    petal_red: "none",
    petal_red_edge: "none",
    coin: "none",
};
