in vec3 world;
in vec3 normal;
in vec3 local;
flat in vec3 colour;
flat in float glow;
out vec4 pixel;

void main() {
    vec3 n = normalize(normal);
    // On a face one coordinate is 1, so the middle of the three is how near the next edge is.
    vec3 d = abs(local);
    float edge = max(min(d.x, d.y), max(min(d.y, d.z), min(d.x, d.z)));
    float rim = smoothstep(0.86, 0.98, edge);
    // Near the floor less light comes from the sides.
    float open = 0.6 + 0.4 * smoothstep(0.0, 1.2, world.y);
    vec3 albedo = colour * (1.0 - 0.25 * rim) * mix(open, 1.0, max(n.y, 0.0));
    // A marker must be found in any shade, so it gives some light of its own.
    pixel = encoded(lit(albedo, world, n) * (1.0 - 0.5 * glow) + colour * 0.6 * glow);
}
