// Where an instance is and how large, for every pass that draws the bodies.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 cornerNormal;
layout(location = 2) in vec3 position;
layout(location = 3) in vec4 rotation;
layout(location = 4) in vec4 shape; // half the extents; then 0 for a box, 1 for a sphere; a capsule has its
// radius, half of the height of its cylinder, and 2; for a kinematic body 4 is added
layout(location = 5) in float ownColour; // 0xRRGGBB; -1 for that of the instance's number, below that of the number -2 - ownColour

uniform mat4 worldToClip;
uniform int boxCount;

const float MARKER_SCALE = 0.6;

bool isMarker() {
    return gl_InstanceID >= boxCount;
}

vec3 rotated(vec3 v) {
    return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}

bool isKinematic() {
    return shape.w > 3.5;
}

float kind() {
    return isKinematic() ? shape.w - 4.0 : shape.w;
}

bool isRound() {
    return kind() > 0.5;
}

// The corner in the axes of its body. Half of a capsule's corners are above its middle, the others below: between them is the cylinder.
vec3 bodyCorner() {
    if (kind() > 1.5) {
        return normalize(corner) * shape.x + vec3(0.0, corner.y < 0.0 ? -shape.y : shape.y, 0.0);
    }
    return (isRound() ? normalize(corner) : corner) * shape.xyz;
}

vec3 worldCorner() {
    return position + rotated(bodyCorner() * (isMarker() ? MARKER_SCALE : 1.0));
}

