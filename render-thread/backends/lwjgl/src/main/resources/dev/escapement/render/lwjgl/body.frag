in vec3 world;
in vec3 normal;
in vec3 local;
flat in vec3 colour;
out vec4 pixel;

// The light: a sun behind the viewer's left shoulder, so that the three visible faces differ; a sky; and a floor that reflects a little.
const vec3 TO_SUN = vec3(-0.4494, 0.7990, 0.3995);
const vec3 SUN = vec3(1.30, 1.22, 1.08);
const vec3 SKY = vec3(0.50, 0.56, 0.66);
const vec3 BOUNCE = vec3(0.20, 0.18, 0.16);

void main() {
    vec3 n = normalize(normal);
    // On a face, the largest of the three coordinates is 1. So the second largest shows how near the next edge is.
    vec3 d = abs(local);
    float edge = max(min(d.x, d.y), max(min(d.y, d.z), min(d.x, d.z)));
    float rim = smoothstep(0.86, 0.98, edge);
    // Near the floor less light comes from the sides.
    float open = 0.6 + 0.4 * smoothstep(0.0, 1.2, world.y);
    vec3 albedo = colour * (1.0 - 0.25 * rim) * mix(open, 1.0, max(n.y, 0.0));
    vec3 light = mix(BOUNCE, SKY, 0.5 + 0.5 * n.y) + SUN * max(dot(n, TO_SUN), 0.0);
    // Converts to sRGB here, for a framebuffer without sRGB, so that every driver shows the same.
    pixel = vec4(pow(min(albedo * light, 1.0), vec3(1.0 / 2.2)), 1.0);
}
