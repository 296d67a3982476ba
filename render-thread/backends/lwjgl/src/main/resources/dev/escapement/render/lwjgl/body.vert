layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 cornerNormal;
layout(location = 2) in vec3 position;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec4 shape; // half the extents; then 0 for a box, 1 for a sphere; a capsule has its
// radius, half of the height of its cylinder, and 2
layout(location = 5) in float ownColour; // 0xRRGGBB; below 0 for the colour of the number -1 - ownColour

uniform mat4 worldToClip;

out vec3 world;
out vec3 normal;
out vec3 local;
flat out vec3 colour;

// The default colours in linear light: teal, slate, sand, sage, clay, fog. None is close to the marker's colour.
const vec3 PALETTE[6] = vec3[](
    vec3(0.045, 0.250, 0.290), vec3(0.095, 0.165, 0.330), vec3(0.660, 0.440, 0.170),
    vec3(0.215, 0.350, 0.190), vec3(0.480, 0.190, 0.110), vec3(0.400, 0.425, 0.435));

// The number is scrambled before it selects a colour, because neighbours in the pile have neighbouring numbers.
uint scrambled(uint n) {
    n = (n ^ 61u) ^ (n >> 16);
    n *= 9u;
    n ^= n >> 4;
    n *= 0x27d4eb2du;
    return n ^ (n >> 15);
}

vec3 linear(uint rgb) {
    return pow(vec3(rgb >> 16, rgb >> 8 & 255u, rgb & 255u) / 255.0, vec3(2.2));
}

vec3 numbered(uint number) {
    uint chance = scrambled(number);
    return PALETTE[chance % 6u] * (0.85 + 0.3 * float((chance >> 8) & 255u) / 255.0);
}

vec3 rotated(vec3 v) {
    return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}

bool isRound() {
    return shape.w > 0.5;
}

// Returns the corner in its body's axes. Half of a capsule's corners are moved up, the other half down, so that the cylinder is between
// them.
vec3 bodyCorner() {
    if (shape.w > 1.5) {
        return normalize(corner) * shape.x + vec3(0.0, corner.y < 0.0 ? -shape.y : shape.y, 0.0);
    }
    return (isRound() ? normalize(corner) : corner) * shape.xyz;
}

void main() {
    colour = ownColour < 0.0 ? numbered(uint(-1.0 - ownColour)) : linear(uint(ownColour));
    world = position + rotated(bodyCorner());
    normal = rotated(isRound() ? normalize(corner) : cornerNormal);
    local = isRound() ? vec3(0.0) : corner; // round shapes have no edges
    gl_Position = worldToClip * vec4(world, 1.0);
}
