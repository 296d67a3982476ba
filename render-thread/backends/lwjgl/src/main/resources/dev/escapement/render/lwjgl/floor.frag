in vec3 world;
out vec4 pixel;

// The part of the pixel that a grid's lines cover, with the same brightness at any distance.
float lines(vec2 at, float spacing, float width) {
    vec2 cell = at / spacing;
    vec2 pixelSize = max(fwidth(cell), 1e-5);
    vec2 drawn = max(vec2(width / spacing), pixelSize);
    vec2 away = abs(fract(cell - 0.5) - 0.5);
    vec2 cover = (1.0 - smoothstep(drawn - pixelSize, drawn + pixelSize, away * 2.0)) * (width / spacing) / drawn;
    return max(cover.x, cover.y);
}

void main() {
    vec3 lit = vec3(0.693, 0.682, 0.658); // grey, in the light of body.frag from above
    lit *= 1.0 - 0.22 * lines(world.xz, 1.0, 0.04);
    lit *= 1.0 - 0.35 * lines(world.xz, 5.0, 0.08);
    pixel = vec4(pow(lit, vec3(1.0 / 2.2)), 1.0);
}
