//! Signs of formulas by their names in TeX.

use crate::words::{Pairs, pairs};

/// Signs with a name in TeX.
pub(crate) static SIGNS: Pairs = pairs!(
    "∑ \\sum  ∏ \\prod  ∫ \\int  ∞ \\infty  √ \\surd  Π \\Pi  ≤ \\le  ≥ \\ge  ≠ \\ne  ≈ \\approx  ≡ \\equiv  × \\times  ÷ \\div  ± \\pm  → \\to \
     ⇒ \\Rightarrow  ∈ \\in  ∉ \\notin  ⊂ \\subset  ⊆ \\subseteq  ∪ \\cup  ∩ \\cap  ∀ \\forall  ∃ \\exists  ∂ \\partial  ∇ \\nabla \
     … \\dots  ⋯ \\cdots  · \\cdot  ⋅ \\cdot  − -  α \\alpha  β \\beta  γ \\gamma  δ \\delta  ε \\epsilon  θ \\theta  λ \\lambda \
     μ \\mu  π \\pi  ρ \\rho  σ \\sigma  τ \\tau  φ \\phi  ω \\omega  Δ \\Delta  Σ \\Sigma  Ω \\Omega  { \\{  } \\}  % \\%  & \\& \
     # \\#"
);
