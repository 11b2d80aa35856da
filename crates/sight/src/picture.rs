//! [`Picture`]: a frame of a video, as its planes are.

use std::ops::Range;

/// Most pixels of a picture.
pub const MAX_PIXELS: usize = 1 << 24;

/// The planes of a picture: bytes that the caller holds.
#[derive(Clone, Copy, Debug)]
enum Planes<'a> {
    /// Red, green, blue, and perhaps opacity: this many bytes a pixel.
    Rgb(&'a [u8], usize),
    /// Luma, and chroma of which one sample belongs to 2^`across` columns and 2^`down` rows.
    Yuv { luma: &'a [u8], blue: &'a [u8], red: &'a [u8], across: u32, down: u32 },
    /// Luma alone.
    Grey(&'a [u8]),
}

/// A picture. Nothing is copied: only the pixels that are asked for are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    width: usize,
    height: usize,
    planes: Planes<'a>,
    /// What bright and dark are exchanged with: 255 if the picture is read as its negative, else 0.
    negative: u8,
}

impl<'a> Picture<'a> {
    /// A picture of red, green and blue bytes, row by row. `None` if the bytes are too few or the size is 0 or above
    /// [`MAX_PIXELS`].
    pub fn rgb(width: usize, height: usize, bytes: &'a [u8]) -> Option<Self> {
        let pixels = pixels(width, height)?;
        (bytes.len() >= 3 * pixels).then_some(Self {
            width,
            height,
            planes: Planes::Rgb(bytes, 3),
            negative: 0,
        })
    }

    /// The same with a fourth byte a pixel, its opacity: what is transparent is seen before black.
    pub fn rgba(width: usize, height: usize, bytes: &'a [u8]) -> Option<Self> {
        let pixels = pixels(width, height)?;
        (bytes.len() >= 4 * pixels).then_some(Self {
            width,
            height,
            planes: Planes::Rgb(bytes, 4),
            negative: 0,
        })
    }

    /// A picture of luma alone.
    pub fn grey(width: usize, height: usize, bytes: &'a [u8]) -> Option<Self> {
        let pixels = pixels(width, height)?;
        (bytes.len() >= pixels).then_some(Self { width, height, planes: Planes::Grey(bytes), negative: 0 })
    }

    /// A picture of luma and, after it, both planes of chroma. One sample of chroma belongs to `1 << across` columns and
    /// `1 << down` rows.
    pub fn yuv(width: usize, height: usize, bytes: &'a [u8], across: u32, down: u32) -> Option<Self> {
        let pixels = pixels(width, height)?;
        if across > 2 || down > 2 {
            return None;
        }
        let chroma = chroma_size(width, across) * chroma_size(height, down);
        let (luma, rest) = bytes.split_at_checked(pixels)?;
        let (blue, rest) = rest.split_at_checked(chroma)?;
        let red = rest.get(..chroma)?;
        Some(Self { width, height, planes: Planes::Yuv { luma, blue, red, across, down }, negative: 0 })
    }

    /// The same picture with its colours inverted. Nothing is copied.
    pub(crate) const fn inverted(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The brightness of a pixel inside the picture, 0 to 255.
    #[inline]
    pub(crate) fn luma(&self, x: usize, y: usize) -> u8 {
        let at = y * self.width + x;
        let luma = match self.planes {
            Planes::Yuv { luma, .. } | Planes::Grey(luma) => luma[at],
            Planes::Rgb(bytes, step) => {
                let [red, green, blue] = seen(bytes, step, at);
                ((77 * red + 150 * green + 29 * blue) >> 8) as u8
            }
        };
        luma ^ self.negative
    }

    /// The planes of a picture of luma and chroma of which each pixel is the mean of two by two of this one.
    pub(crate) fn thinned(&self) -> Vec<u8> {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut planes = vec![0; 3 * width * height];
        for y in 0..height {
            for x in 0..width {
                let of = |at: usize| 2 * at..2 * at + 2;
                let [luma, blue, red] = self.mean(&of(x), &of(y));
                for (plane, value) in [luma, blue + 128.0, red + 128.0].into_iter().enumerate() {
                    planes[(plane * height + y) * width + x] = value as u8;
                }
            }
        }
        planes
    }

    /// Brightness and two differences of colour, the mean of a rectangle. The differences are 0 for greys.
    pub(crate) fn mean(&self, columns: &Range<usize>, rows: &Range<usize>) -> [f32; 3] {
        let [even, odd] = self.sums(columns, rows);
        self.colour([0, 1, 2, 3].map(|at| even[at] + odd[at]))
    }

    /// The same of the rectangle's even rows alone, and of its odd ones.
    pub(crate) fn means(&self, columns: &Range<usize>, rows: &Range<usize>) -> [[f32; 3]; 2] {
        self.sums(columns, rows).map(|sums| self.colour(sums))
    }

    /// The brightness of the pixels of a row, if the picture has it as bytes in a row.
    pub(crate) fn luma_row(&self, y: usize) -> Option<&'a [u8]> {
        match self.planes {
            Planes::Yuv { luma, .. } | Planes::Grey(luma) if self.negative == 0 => {
                luma.get(y * self.width..(y + 1) * self.width)
            }
            _ => None,
        }
    }

    /// The sums of brightness and of both differences, and the pixels, of the even rows and of the odd ones.
    fn sums(&self, columns: &Range<usize>, rows: &Range<usize>) -> [[i32; 4]; 2] {
        let columns = columns.start.min(self.width)..columns.end.min(self.width);
        let mut sums = [[0i32; 4]; 2];
        if columns.is_empty() {
            return sums;
        }
        // Rows share their samples of chroma with the next one.
        let (mut known, mut chroma) = (None, [0; 2]);
        for y in rows.start..rows.end.min(self.height) {
            let sums = &mut sums[y % 2];
            sums[3] += columns.len() as i32;
            let row = y * self.width;
            match self.planes {
                Planes::Grey(luma) => sums[0] += sum(&luma[row + columns.start..row + columns.end]),
                Planes::Yuv { luma, blue, red, across, down } => {
                    sums[0] += sum(&luma[row + columns.start..row + columns.end]);
                    if known.replace(y >> down) != Some(y >> down) {
                        let row = (y >> down) * chroma_size(self.width, across);
                        // A sample of chroma counts for each of its columns that is inside.
                        let (first, last) = (columns.start >> across, (columns.end - 1) >> across);
                        let before = (columns.start - (first << across)) as i32;
                        let after = (((last + 1) << across) - columns.end) as i32;
                        chroma = [blue, red].map(|plane| {
                            let samples = &plane[row + first..=row + last];
                            let edges = before * i32::from(samples[0]) + after * i32::from(plane[row + last]);
                            (sum(samples) << across) - edges - 128 * columns.len() as i32
                        });
                    }
                    sums[1..].iter_mut().zip(chroma).for_each(|(sum, more)| *sum += more);
                }
                Planes::Rgb(bytes, step) => {
                    for x in columns.clone() {
                        let [red, green, blue] = seen(bytes, step, row + x).map(u32::cast_signed);
                        let luma = (77 * red + 150 * green + 29 * blue) >> 8;
                        let seen = [luma, ((blue - luma) * 144) >> 8, ((red - luma) * 183) >> 8];
                        sums.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += seen);
                    }
                }
            }
        }
        sums
    }

    /// The mean of these sums.
    fn colour(&self, [luma, blue, red, count]: [i32; 4]) -> [f32; 3] {
        let [luma, blue, red] = [luma, blue, red].map(|sum| sum as f32 / count.max(1) as f32);
        if self.negative == 0 { [luma, blue, red] } else { [255.0 - luma, -blue, -red] }
    }
}

fn sum(bytes: &[u8]) -> i32 {
    bytes.iter().map(|&byte| i32::from(byte)).sum()
}

/// The colour of a pixel before black.
#[inline]
fn seen(bytes: &[u8], step: usize, at: usize) -> [u32; 3] {
    let pixel = &bytes[step * at..step * (at + 1)];
    let colour = [0, 1, 2].map(|channel| u32::from(pixel[channel]));
    match pixel.get(3) {
        None | Some(255) => colour,
        Some(&opacity) => colour.map(|channel| channel * u32::from(opacity) / 255),
    }
}

fn pixels(width: usize, height: usize) -> Option<usize> {
    width.checked_mul(height).filter(|pixels| (1..=MAX_PIXELS).contains(pixels))
}

/// Samples of chroma for this many columns or rows.
const fn chroma_size(size: usize, shift: u32) -> usize {
    (size + (1 << shift) - 1) >> shift
}
